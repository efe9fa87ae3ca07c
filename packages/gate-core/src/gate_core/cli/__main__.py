"""`python -m gate_core.cli`, the same as `gate`."""

from __future__ import annotations

import sys

from gate_core.cli.main import main

sys.exit(main())
