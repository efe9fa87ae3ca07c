"""Judges over the two vendors' own clients. Nothing is imported before a judge is built.

No temperature, top_p or top_k is sent: several current models refuse them, and independent samples need none.
`max_tokens` bounds the reply. It is far more than one word because many models think before they answer and cannot be
told not to, and what they think counts; a model that does not think stops after its word. A client's own retries are
switched off: the samples are independent, so one lost sample costs less than the wait for another try.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib import import_module
from inspect import iscoroutinefunction, unwrap
from typing import Any

from gate_core.judges.prompt import SYSTEM
from gate_core.judges.sampling import OnError, check_on_error
from gate_core.model.errors import ConfigError

_LOG = logging.getLogger("gate_core")

TIMEOUT = 20.0
"""Seconds until a question counts as lost."""

MAX_TOKENS = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientJudge:
    """A judge over a client: `send` asks it and `text` finds the words in its response; `waits` is true when what
    `send` gives has to be awaited.

    A call that fails in any way (no connection, timeout, an error status, a body that is no response) is an outage:
    None, or "no" with `on_error="downgrade"`. `at_once` is how many questions it takes at the same time.
    """

    send: Callable[[str], Any]
    text: Callable[[Any], str]
    waits: bool = False
    on_error: OnError = "abstain"
    at_once: int = 10

    def __call__(self, question: str, /) -> str | Awaitable[str | None] | None:
        """The model's words; to be awaited with an asynchronous client."""
        if self.waits:
            return self._later(question)
        try:
            return self.text(self.send(question))
        except Exception as error:  # noqa: BLE001 - whatever a client raises, the judge could not be asked
            return self._outage(error)

    async def _later(self, question: str) -> str | None:
        try:
            return self.text(await self.send(question))
        except Exception as error:  # noqa: BLE001 - as above
            return self._outage(error)

    def _outage(self, error: Exception) -> str | None:
        status = getattr(error, "status_code", None)
        _LOG.warning("the judge could not be asked: %s%s", type(error).__name__, f" ({status})" if status else "")
        return "no" if self.on_error == "downgrade" else None


def anthropic_judge(
    *,
    model: str,
    client: object = None,
    timeout: float = TIMEOUT,
    max_tokens: int = MAX_TOKENS,
    on_error: OnError = "abstain",
) -> ClientJudge:
    """A judge over the Messages API. `client` is an `Anthropic` or `AsyncAnthropic`; one is made of the environment
    without it. `timeout` is in seconds.

    Raises:
        ConfigError: the library is missing, no client can be made, another word for `on_error`.
    """
    check_on_error(on_error)
    create = _ready(client, "anthropic", "Anthropic", timeout).messages.create

    def send(question: str) -> Any:
        messages = [{"role": "user", "content": question}]
        return create(model=model, max_tokens=max_tokens, system=SYSTEM, messages=messages)

    return ClientJudge(send=send, text=_anthropic_text, waits=_is_async(create), on_error=on_error)


def _anthropic_text(response: Any) -> str:
    return "".join(str(block.text) for block in response.content if block.type == "text")


def openai_judge(
    *,
    model: str,
    client: object = None,
    timeout: float = TIMEOUT,
    max_tokens: int = MAX_TOKENS,
    on_error: OnError = "abstain",
) -> ClientJudge:
    """A judge over the Chat Completions API, which compatible servers offer too. `client` is an `OpenAI` or
    `AsyncOpenAI`; one is made of the environment without it. `timeout` is in seconds.

    Raises:
        ConfigError: the library is missing, no client can be made, another word for `on_error`.
    """
    check_on_error(on_error)
    create = _ready(client, "openai", "OpenAI", timeout).chat.completions.create

    def send(question: str) -> Any:
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": question}]
        return create(model=model, max_completion_tokens=max_tokens, messages=messages)

    return ClientJudge(send=send, text=_openai_text, waits=_is_async(create), on_error=on_error)


def _openai_text(response: Any) -> str:
    return str(response.choices[0].message.content or "")


def _ready(client: Any, library: str, kind: str, timeout: float) -> Any:
    """The client given, or one made of the environment, with our limits."""
    if client is not None:
        return client.with_options(timeout=timeout, max_retries=0)
    try:
        make = getattr(import_module(library), kind)
    except ImportError:
        hint = "install it with: pip install 'gate-core[llm]'"
        raise ConfigError(f"{library} is missing; {hint}", key="verifier") from None
    try:
        return make(timeout=timeout, max_retries=0)
    except Exception as error:  # noqa: BLE001 - each library has its own word for a missing key
        raise ConfigError(f"no {library} client could be made: {error}", key="verifier") from None


def _is_async(create: Callable[..., object]) -> bool:
    return iscoroutinefunction(unwrap(create))
