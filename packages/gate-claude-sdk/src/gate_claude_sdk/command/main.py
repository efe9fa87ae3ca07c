"""`gate-claude-hook`: decides about the events that cannot wait, and what a person asks of it.

`hook` is what Claude Code starts; it prints valid JSON whatever happens, because the CLI lets everything pass that it
cannot read. The other words are for people.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

USAGE = """usage: gate-claude-hook COMMAND

  install [--project|--user] [--config FILE]   put the gate's hooks into settings.json, beside what is there
  uninstall [--project|--user]                 take them out again
  status [--json]                              sessions, what they owe, their last verdicts
  wrong [SESSION] [--out FILE]                 write the last turn of a session as a redacted case
  plugin                                       print the folder of the plugin (claude --plugin-dir)
  hook                                         decide about the hook event on stdin (Claude Code calls this)
  serve FOLDER COMMAND                         wait with the core loaded for hooks that decide (hooks start this)
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; 0 when it was done, 1 when it could not be, 2 when the arguments are wrong."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["hook"]:
        from gate_claude_sdk.command.answer import answer_stdin

        answer_stdin()
        return 0
    if words[:1] == ["serve"] and len(words) == 3:
        from gate_claude_sdk.command.server import serve

        serve(words[1], words[2])
        return 0
    from gate_claude_sdk.command.people import run  # argument parsing costs more than a hook may take

    return run(words, USAGE)
