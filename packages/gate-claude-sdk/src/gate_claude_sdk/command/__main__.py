"""What hooks in settings start by its path; see `gate_claude_sdk.command.main`."""

from __future__ import annotations

import sys

from gate_claude_sdk.command.main import main

sys.exit(main())
