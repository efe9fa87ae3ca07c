"""What a shell command does: parsed with tree-sitter, walked once into stages, read with a table of programs (spec 10,
"Shell").

    command -> tree.py, words.py: syntax
            -> walk.py, commands.py: stages (what runs, where, and who sees its output); exits.py: what its status says
            -> programs/, handlers/: what each stage does
"""

from __future__ import annotations

from gate_core.shell.analyse import Analysis, analyse, available
from gate_core.shell.programs import Role, Shows
from gate_core.shell.stages import Stage
from gate_core.shell.uses import SOMEWHERE, Place, Use

__all__ = ["SOMEWHERE", "Analysis", "Place", "Role", "Shows", "Stage", "Use", "analyse", "available"]
