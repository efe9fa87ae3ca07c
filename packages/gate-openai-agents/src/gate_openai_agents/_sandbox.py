"""The tools of a sandbox agent: how they say, in a text like any other, that they did not do what was asked.

They are made while a run starts, so `gate.instrument` never sees them, and the SDK hides the exceptions of
`apply_patch` in its result (spec 50: a failure inside a "success" envelope is a failure). What they answer when all
went well is known word for word; anything else is a failure. It only ever makes a status worse.
"""

from __future__ import annotations

import re

from agents.sandbox.capabilities.tools import ExecCommandTool, SandboxApplyPatchTool, ViewImageTool, WriteStdinTool
from agents.sandbox.capabilities.tools.apply_patch_tool import SandboxApplyPatchEditor

_APPLIED = re.compile(r"(?:(?:Created|Updated|Deleted) \S.*|Moved \S.* to \S.*)(?:\n|\Z)")
_TOLD = re.compile(r"(?:(?!Output:).*\n){0,4}?Process (?:exited with code|running with session ID) \d+\n")


def is_sandbox_failure(tool: object, result: object) -> bool:
    """True when a tool of the SDK's sandbox answers otherwise than it does when all went well.

    `apply_patch` tells each operation in a line, unless its editor is one of the user's; `view_image` gives an image;
    a command says how it ended or that it runs.
    """
    if isinstance(tool, ViewImageTool):
        return isinstance(result, str)
    if not isinstance(result, str):
        return False
    if isinstance(tool, SandboxApplyPatchTool):
        return type(tool.editor) is SandboxApplyPatchEditor and _APPLIED.sub("", result) != ""
    return isinstance(tool, ExecCommandTool | WriteStdinTool) and not _TOLD.match(result)
