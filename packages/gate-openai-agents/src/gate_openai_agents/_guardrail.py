"""The boundary and what it needs in the run configuration: the output guardrail and the tool error formatter."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any, TypeVar

from agents import Agent, GuardrailFunctionOutput, OutputGuardrail, RunConfig, RunContextWrapper
from agents.run import ToolErrorFormatter, ToolErrorFormatterArgs

from gate_openai_agents._hooks import parent_of
from gate_openai_agents._ledger import Find, RunLedger

TContext = TypeVar("TContext")

GUARDRAIL = "evidence_gate"
"""The name of the output guardrail, in traces and in `guardrail_result.guardrail`."""


def output_guardrail(find: Find[TContext]) -> OutputGuardrail[TContext]:
    """The strict boundary: it trips on an answer that may not go out, with the `Verdict` as `output_info`.

    It never raises: the SDK saves the answer to the session when a guardrail does. What leaves the gate (an audit
    record that cannot be written) trips it too, with the exception as `output_info`. In nested runs, which inherit the
    run configuration, it passes: what an agent tells another agent is testimony (spec 50).
    """

    async def judge(context: RunContextWrapper[TContext], agent: Agent[Any], output: object) -> GuardrailFunctionOutput:
        ledger = find(context)
        if parent_of(ledger, context):
            return GuardrailFunctionOutput(output_info=None, tripwire_triggered=False)
        try:
            ledger.begin(context.turn_input)
            verdict = await ledger.judge(output)
        except Exception as error:  # noqa: BLE001 - raised here it would put the answer into the session
            return _tripped(ledger, error)
        return GuardrailFunctionOutput(output_info=verdict, tripwire_triggered=ledger.refused is not None)

    return OutputGuardrail(guardrail_function=judge, name=GUARDRAIL)


def _tripped(ledger: RunLedger, error: Exception) -> GuardrailFunctionOutput:
    """What leaves the gate, as a tripwire."""
    ledger.failed = error
    return GuardrailFunctionOutput(output_info=error, tripwire_triggered=True)


class ErrorFormatter:
    """Notes which tools raised and which approvals were refused, then asks the user's formatter.

    It is the only public place where the SDK shows the exception of a tool with the default error handling.
    """

    def __init__(self, find: Find[Any], inner: ToolErrorFormatter | None = None) -> None:
        self.find = find
        self._inner = inner

    async def __call__(self, args: ToolErrorFormatterArgs[Any]) -> str | None:
        """The text for the model: the user's, or None for the SDK's own."""
        ledger = self.find(args.run_context)
        if args.kind == "tool_exception":
            ledger.calls.raised(args.call_id, f"{type(args.error).__name__}: {args.error}")
        elif args.kind == "approval_rejected":
            ledger.calls.rejected(args.call_id)
        text = self._inner(args) if self._inner else None
        return await text if inspect.isawaitable(text) else text


Settings = dict[str, Any]
"""A run configuration in the dict form `Runner.run` also takes."""


def gated(
    given: RunConfig | Settings | None, guardrail: OutputGuardrail[Any] | None, find: Find[Any]
) -> RunConfig | Settings:
    """The run configuration with guardrail and formatter added, in the form it came in.

    A configuration that was not given, or given as a dict, stays a dict: the SDK then makes and closes the model
    provider itself.
    """
    own = given if isinstance(given, RunConfig) else None
    settings: Settings = {} if own else dict(given or {})  # type: ignore[arg-type]  # not a RunConfig, so a dict
    guardrails = list((own.output_guardrails if own else settings.get("output_guardrails")) or [])
    formatter = own.tool_error_formatter if own else settings.get("tool_error_formatter")
    if guardrail is not None and guardrail not in guardrails:
        guardrails.append(guardrail)
    if not (isinstance(formatter, ErrorFormatter) and formatter.find == find):
        formatter = ErrorFormatter(find, formatter)
    changes: Settings = {"output_guardrails": guardrails, "tool_error_formatter": formatter}
    return dataclasses.replace(own, **changes) if own else {**settings, **changes}
