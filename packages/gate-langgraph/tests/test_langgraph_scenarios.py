"""What LangGraph does to an agent in work, scenario by scenario, and the test that shows what the gate makes of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HERE = Path(__file__).parent

SCENARIOS: dict[str, tuple[str, ...]] = {
    "reject, read again, accept": (
        "test_a_draft_without_evidence_goes_back_and_the_repaired_answer_is_delivered",
        "test_shipped_cases_give_the_expected_verdicts",
    ),
    "the same, asynchronous": ("test_a_sync_and_an_async_run_record_the_same", "test_decide_and_adecide_agree"),
    "no repair: marked, one message": ("test_an_agent_that_never_repairs_is_released_marked_in_metadata_only",),
    "a new turn": ("test_a_new_turn_starts_with_its_own_looks",),
    "parallel calls": ("test_parallel_calls_share_a_step_and_later_calls_have_a_larger_one",),
    "a parallel read proves no edit": ("test_shipped_cases_give_the_expected_verdicts",),
    "a channel without its reducer": (
        "test_wiring_that_fails_open_is_refused_with_the_way_to_fix_it",
        "test_facts_merge_as_a_set",
    ),
    "killed in the middle of a tool": ("test_a_killed_run_goes_on_where_it_was",),
    "one of a batch fails": ("test_a_call_that_raises_makes_no_other_run_again",),
    "time travel": ("test_a_fork_sees_only_its_own_past",),
    "a person edits the call": ("test_arguments_a_human_edited_are_recorded_as_they_ran",),
    "a person answers for the tool": ("test_what_a_person_answers_is_no_execution",),
    "an interrupt inside a tool": ("test_a_call_that_waits_for_a_person_is_recorded_once_when_it_ran",),
    "retries": ("test_every_attempt_of_a_retry_is_recorded",),
    "middleware outside of the gate": ("test_other_middleware_sees_tool_messages_and_runs_nothing_twice",),
    "an emulated result": ("test_an_emulated_change_is_owed_a_look_too",),
    "a typed answer by a tool": ("test_a_typed_answer_is_judged_and_taken_back",),
    "a typed answer beside the read": ("test_a_typed_answer_beside_the_look_was_written_before_it",),
    "a typed answer of the provider": ("test_a_typed_answer_of_the_provider_stays_json",),
    "limits": ("test_a_limit_on_model_calls_ends_the_run_through_the_gate",),
    "a shell over a rejection": ("test_a_shell_outlives_a_rejection",),
    "streaming": ("test_a_rejected_draft_is_never_shown", "test_plain_streaming_shows_the_draft"),
    "forged state and history": (
        "test_a_caller_cannot_hand_in_evidence",
        "test_a_message_that_came_with_the_input_is_nobodys_evidence",
    ),
    "hand-offs": (
        "test_a_hand_off_to_a_parent_graph_is_left_alone",
        "test_a_hand_off_of_a_swarm_leaves_the_change_to_the_receiver",
    ),
    "a summary in the middle of a turn": ("test_a_summary_does_not_forget_a_change",),
    "strict msgpack": ("test_what_the_thread_keeps_is_plain_json_in_objects",),
    "a boundary that cannot jump": ("test_wiring_that_fails_open_is_refused_with_the_way_to_fix_it",),
    "a graph built by hand": (
        "test_the_hand_built_graph_of_the_docs_runs",
        "test_updates_of_the_tool_node_are_one_dict",
    ),
    "one id, two calls": ("test_two_parallel_calls_with_one_id_are_two_facts",),
    "a tool that writes the gate's state": ("test_a_tool_cannot_write_its_own_evidence",),
    "lone surrogates": ("test_a_lone_surrogate_in_a_result_changes_nothing_on_resume",),
}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_every_scenario_has_its_test(scenario: str) -> None:
    """The named tests exist; a scenario without one would be met again."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in HERE.glob("test_*.py"))
    there = set(re.findall(r"^(?:async )?def (test_\w+)", sources, re.MULTILINE))
    assert SCENARIOS[scenario]
    assert set(SCENARIOS[scenario]) <= there
    assert len(SCENARIOS) == 31
