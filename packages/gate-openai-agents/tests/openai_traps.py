"""The SDK's traps, T1 to T25 of what was found out about openai-agents 0.24: what of ours handles each, and its tests.

`test_openai_trap_handling.py` takes each handling away and runs the tests: they have to fail then. Where the SDK is
right by itself, or nothing can be done, the row is `Pinned`: its tests hold the SDK to what the row says.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass

import openai_naive as naive


@dataclass(frozen=True, kw_only=True)
class Handled:
    """A trap, or a side of one, that something of ours handles.

    `trap` is its number, `met` what happens without us. `without` takes the handling away: name in
    `gate_openai_agents` -> what stands there instead. `tests` are `file::function`; every one of them fails then, in at
    least one of its cases. `shows` is what they fail with where that is more than a false assertion.
    """

    trap: int
    met: str
    without: Mapping[str, object]
    tests: tuple[str, ...]
    shows: type[Exception] = AssertionError


@dataclass(frozen=True, kw_only=True)
class Pinned:
    """A trap, or a side of one, in which nothing of ours is needed or possible. `reason` says why."""

    trap: int
    reason: str
    tests: tuple[str, ...]


HANDLED: tuple[Handled, ...] = (
    Handled(
        trap=1,
        met="an answer made by a tool trips the guardrail without its verdict",
        without={"_turn._with_verdict": lambda error, verdict: error},
        tests=("run::test_an_answer_made_by_a_tool_keeps_its_verdict",),
    ),
    Handled(
        trap=2,
        met="a stream shows the text before it was judged",
        without={"stream.Held.take": naive.as_they_come},
        tests=(
            "stream::test_the_deltas_are_the_accepted_answer",
            "stream::test_a_cancelled_answer_is_not_shown",
            "wire::test_the_deltas_of_a_gated_stream_are_the_accepted_answer",
        ),
    ),
    Handled(
        trap=2,
        met="so does a plain stream, with a gated model too",
        without={"_model.is_text_event": naive.always(False)},
        tests=("stream::test_plain_streams_do_not_leak", "wire::test_plain_runs_with_the_boundary_in_the_model"),
    ),
    Handled(
        trap=3,
        met="of a response with two messages only the last one is judged",
        without={"_ledger.RunLedger._attempt_of": naive.the_last_message},
        tests=(
            "boundary::test_all_messages_of_the_final_response_are_judged",
            "traps::test_all_messages_are_judged_in_the_model",
        ),
    ),
    Handled(
        trap=4,
        met="the result of an MCP tool does not say isError",
        without={"_hooks.is_mcp_error": naive.nothing},
        tests=("instrument::test_an_mcp_error_is_a_failure_without_any_setting",),
    ),
    Handled(
        trap=4,
        met="the exception of a custom tool is its result",
        without={"_instrument.Instruments._custom": naive.the_tool_itself},
        tests=("instrument::test_an_instrumented_tool_shows_its_failure",),
    ),
    Handled(
        trap=5,
        met="a shell executor that returned a text has exit code 0",
        without={"_translate._believed": naive.the_exit_code},
        tests=("instrument::test_a_gate_without_instruments_believes_no_zero",),
    ),
    Handled(
        trap=5,
        met="a code 0 that an executor gave is not told from one that was made up",
        without={"_instrument.Instruments._shell": naive.the_tool_itself},
        tests=("instrument::test_an_exit_code_is_that_of_the_executor",),
    ),
    Handled(
        trap=5,
        met="a shell call that was not approved has exit code 1, like one that ran",
        without={"_calls.Calls._executed": naive.always(True)},
        tests=("observer::test_a_refused_shell_call_did_not_run",),
    ),
    Handled(
        trap=6,
        met="a guardrail that raises has the answer saved to the session",
        without={"_guardrail._tripped": naive.raised},
        tests=("traps::test_what_leaves_the_gate_keeps_the_answer_out_of_the_session",),
    ),
    Handled(
        trap=7,
        met="the output of an error handler is no text of the model's",
        without={"_ledger.RunLedger._attempt_of": naive.the_models_words},
        tests=("traps::test_the_output_of_an_error_handler_is_judged",),
    ),
    Handled(
        trap=7,
        met="every attempt has all of max_turns",
        without={"_turn.Turn._left": property(lambda turn: turn._limit)},
        tests=(
            "run::test_all_attempts_share_one_budget_of_turns",
            "server::test_turns_are_counted_over_all_attempts",
        ),
    ),
    Handled(
        trap=8,
        met="the calls of an agent used as a tool are not seen, and nobody says so",
        without={"_hooks.is_agent": naive.always(False)},
        tests=("traps::test_an_unobserved_agent_is_no_evidence_and_is_named",),
    ),
    Handled(
        trap=9,
        met="a tool that ends the run never ends for the hooks",
        without={"runner.at_work": nullcontext},
        tests=("traps::test_a_tool_that_ends_the_run_leaves_its_siblings_on_record",),
    ),
    Handled(
        trap=10,
        met="a tool that raised has a result without a word of the exception",
        without={
            "_guardrail.ErrorFormatter.__call__": naive.nothing_awaited,
            "_hooks.is_sdk_error": naive.always(False),
        },
        tests=("observer::test_a_tool_that_raised_is_a_failure",),
    ),
    Handled(
        trap=10,
        met="the exception is in no hook",
        without={"_guardrail.ErrorFormatter.__call__": naive.nothing_awaited},
        tests=("traps::test_the_exception_behind_the_sentence_is_on_record",),
    ),
    Handled(
        trap=10,
        met="without our run configuration only the sentence is left",
        without={"_hooks.is_sdk_error": naive.always(False)},
        tests=(
            "traps::test_hooks_alone_know_the_sentence_of_a_failure",
            "observer::test_a_tool_that_timed_out_is_a_failure",
        ),
    ),
    Handled(
        trap=10,
        met="a result that speaks of an error is taken for one",
        without={"_hooks.is_sdk_error": naive.contains_error},
        tests=("observer::test_a_result_that_quotes_the_sdk_is_a_result",),
    ),
    Handled(
        trap=11,
        met="with StopAtTools the refusal of a submitted answer is the final output",
        without={"_submit._ends_with_the_call": naive.always(False)},
        tests=("submit::test_a_behaviour_that_would_deliver_the_refusal_is_refused",),
    ),
    Handled(
        trap=12,
        met="on_handoff is called by keywords, so other names of parameters end the run",
        without={"_hooks.GateHooks.on_handoff": naive.on_handoff},
        tests=("observer::test_the_users_hooks_are_all_called",),
        shows=TypeError,
    ),
    Handled(
        trap=13,
        met="going on with a clone of the agent loses approvals for good, and the user's agent",
        without={"_turn.Turn._go_on": naive.ask_a_clone},
        tests=("traps::test_approvals_for_good_survive_a_refusal",),
    ),
    Handled(
        trap=13,
        met="where the provider keeps the history, going on from a state drops the feedback",
        without={"_turn.Turn._say": naive.go_on_from_a_state},
        tests=("server::test_a_refused_answer_is_repaired",),
    ),
    Handled(
        trap=14,
        met="the SDK drops an exact repetition of a call without running it",
        without={"_calls.Calls._repeats": naive.always(False)},
        tests=("traps::test_a_repeated_call_id_is_one_call",),
    ),
    Handled(
        trap=17,
        met="what is said to the model as the user's words stays in the session",
        without={"_turn.Turn._go_on": naive.say_it_as_the_user},
        tests=("run::test_the_session_gets_neither_draft_nor_feedback",),
    ),
    Handled(
        trap=18,
        met="hooks call the computer by another name than items do",
        without={"_hooks._kind": naive.named_after_the_tool},
        tests=("traps::test_a_computer_call_is_recorded",),
    ),
    Handled(
        trap=19,
        met="spans know which tool failed, but only while tracing is on",
        without={
            "_guardrail.ErrorFormatter.__call__": naive.nothing_awaited,
            "_hooks.is_sdk_error": naive.marked_in_the_trace,
        },
        tests=("traps::test_tracing_changes_nothing",),
    ),
    Handled(
        trap=21,
        met="a paused run goes on in the middle of a response that only its state knows",
        without={"_turn.Turn._resume": naive.nothing},
        tests=("run::test_a_paused_run_goes_on_in_another_process",),
    ),
    Handled(
        trap=22,
        met="older versions save refused answers",
        without={"runner.TESTED": {}},
        tests=("traps::test_a_version_below_the_floor_is_named",),
    ),
    Handled(
        trap=23,
        met="a response of hosted calls alone is no answer, though no local call is in it",
        without={"_translate.texts": naive.empty_where_none_is},
        tests=("traps::test_a_response_without_a_message_is_no_answer",),
    ),
    Handled(
        trap=24,
        met="hosted calls come without hooks",
        without={"_translate.hosted": naive.always([])},
        tests=("wire::test_a_hosted_call_is_observed_in_a_stream",),
    ),
    Handled(
        trap=25,
        met="on_agent_end of the user's hooks sees refused answers",
        without={"_model._Call.judged": naive.nothing_awaited},
        tests=("traps::test_the_users_end_hook_sees_refused_answers",),
    ),
)

PINNED: tuple[Pinned, ...] = (
    Pinned(
        trap=2,
        reason="a plain stream with the guardrail alone has shown the text when it trips; only a gated stream can wait",
        tests=("pinned::test_a_plain_stream_shows_what_its_guardrail_refuses",),
    ),
    Pinned(
        trap=7,
        reason="a refusal of the model is an exception of the SDK before any boundary; there is no answer to judge",
        tests=("traps::test_a_refusal_of_the_model_is_the_users_to_see",),
    ),
    Pinned(
        trap=14,
        reason="a call id that comes again with other arguments ends the run: no ledger could mix the two up",
        tests=("traps::test_a_repeated_call_id_is_one_call",),
    ),
    Pinned(
        trap=15,
        reason="the guardrail is asked about an empty output like about any other, and an empty answer claims nothing",
        tests=("traps::test_an_empty_answer_claims_nothing",),
    ),
    Pinned(
        trap=16,
        reason="the SDK refuses a session beside a conversation id, so there is no such run to gate",
        tests=("pinned::test_a_session_beside_a_conversation_id_is_the_sdks_error",),
    ),
    Pinned(
        trap=20,
        reason="realtime sessions call no hooks and skip a guardrail that raises; the docs say so, and promise nothing",
        tests=("pinned::test_a_guardrail_that_raises_is_skipped", "pinned::test_the_docs_say_what_fails_open"),
    ),
    Pinned(
        trap=22,
        reason="from 0.24 on a refused answer is not saved; the dependency starts there",
        tests=(
            "traps::test_the_floor_is_the_version_that_was_run",
            "boundary::test_a_refused_answer_raises_with_the_verdict_and_is_not_saved",
        ),
    ),
    Pinned(
        trap=24,
        reason="the SDK's scripted model cannot stream hosted calls; ours are streamed by a provider on the loopback",
        tests=("pinned::test_the_scripted_model_streams_no_hosted_calls",),
    ),
)
