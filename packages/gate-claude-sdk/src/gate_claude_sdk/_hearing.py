"""What a host's message stream tells beside the hooks: whole responses, and results no Stop came for."""

from __future__ import annotations

from dataclasses import dataclass, field

from claude_agent_sdk import AssistantMessage, Message, ResultMessage, TextBlock


@dataclass(slots=True)
class Hearing:
    """The last response of a session as the stream told it, and how many verdicts there were at its last result."""

    message: str = ""
    texts: list[str] = field(default_factory=list)
    verdicts: int = 0

    def ending_with(self, last: str) -> tuple[str, ...]:
        """All texts of the last response, if it ended with the block `last`."""
        return tuple(self.texts) if last and self.texts and self.texts[-1].strip() == last.strip() else ()

    def response(self, message: AssistantMessage) -> None:
        """One message of the main agent; a response comes as one message per block."""
        if message.parent_tool_use_id:
            return
        if not message.message_id or message.message_id != self.message:
            self.message, self.texts = message.message_id or "", []
        self.texts += [block.text for block in message.content if isinstance(block, TextBlock) and block.text]


def session_of(message: Message) -> str:
    """The session a message belongs to, or ""."""
    return message.session_id or "" if isinstance(message, AssistantMessage | ResultMessage) else ""
