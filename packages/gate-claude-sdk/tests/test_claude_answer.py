"""The texts of the final response, found in the transcript the CLI is still writing."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from gate_claude_sdk._answer import Heard, calls_in, final_texts, texts_ending_with, transcript_end, wait_for_texts


def line(message_id: str, text: str, **more: object) -> bytes:
    """One transcript line: one content block of one response."""
    content = [{"type": "text", "text": text}]
    row = {"type": "assistant", "message": {"id": message_id, "role": "assistant", "content": content}, **more}
    return json.dumps(row).encode() + b"\n"


USER = b'{"type": "user", "message": {"role": "user", "content": "the assistant said"}}\n'


def test_all_blocks_of_the_last_response_are_found() -> None:
    """Each block has its own line; what earlier responses said does not belong to the answer."""
    data = line("m1", "Let me look.") + USER + line("m2", "All tests pass.") + line("m2", "Done.") + USER
    assert texts_ending_with(data, "Done.") == ("All tests pass.", "Done.")


def test_a_response_that_is_not_there_yet_gives_nothing() -> None:
    """A torn line, another text, a sub-agent's text, rubbish: none of them is the answer."""
    torn = line("m2", "Done.").rstrip(b"\n")
    for data in (torn, line("m1", "No."), line("m1", "Done.", isSidechain=True), b'"assistant"\n', b"", USER):
        assert texts_ending_with(data, "Done.") == ()


def test_the_wait_ends_when_the_block_arrives(tmp_path: Path) -> None:
    """The CLI writes the last lines after it asked; both blocks are in the answer, and the next search starts there."""
    transcript = tmp_path / "t.jsonl"
    transcript.write_bytes(USER)

    async def write() -> None:
        with transcript.open("ab") as file:
            file.write(line("m2", "part one.") + line("m2", "part two."))

    async def both() -> Heard:
        found, _ = await asyncio.gather(final_texts(str(transcript), "part two.", since=0, patience=30), write())
        return found

    found = asyncio.run(both())
    assert found == Heard(texts=("part one.", "part two."), end=transcript_end(str(transcript)))


def test_an_earlier_draft_with_the_same_last_block_is_not_the_answer(tmp_path: Path) -> None:
    """Only what was written after the last judged answer counts."""
    transcript = tmp_path / "t.jsonl"
    transcript.write_bytes(line("m1", "All tests pass.") + line("m1", "Done."))
    end = transcript_end(str(transcript))
    assert asyncio.run(final_texts(str(transcript), "Done.", since=end, patience=0.02)) == Heard(end=end)


def test_a_transcript_may_appear_after_the_question(tmp_path: Path) -> None:
    """The first answer of a session can be quicker than the file."""
    transcript = tmp_path / "t.jsonl"

    async def write() -> None:
        transcript.write_bytes(line("m1", "a") + line("m1", "b"))

    async def both() -> Heard:
        found, _ = await asyncio.gather(final_texts(str(transcript), "b", since=0), write())
        return found

    assert asyncio.run(both()).texts == ("a", "b")


def test_without_a_transcript_the_last_block_has_to_do(tmp_path: Path) -> None:
    """Hosts can switch transcripts off; without a path or a text there is nothing to wait for."""
    for path in (str(tmp_path / "none.jsonl"), str(tmp_path)):
        assert asyncio.run(final_texts(path, "Done.", since=5, patience=0.02)) == Heard(end=5)
    for path, last in (("", "Done."), (str(tmp_path), "")):
        assert asyncio.run(final_texts(path, last, since=5, patience=60)) == Heard(end=5)


def test_a_transcript_that_was_replaced_is_read_from_its_start(tmp_path: Path) -> None:
    """A position beyond the end belongs to another file."""
    transcript = tmp_path / "t.jsonl"
    transcript.write_bytes(line("m1", "Done."))
    assert asyncio.run(final_texts(str(transcript), "Done.", since=10**6, patience=1)).texts == ("Done.",)


def test_calls_of_the_main_agent_are_noticed(tmp_path: Path) -> None:
    """A look tells whether a tool was called since the last one; what a sub-agent calls is not meant."""
    block = {"type": "tool_use", "id": "c1", "name": "Read", "input": {}}
    row = {"type": "assistant", "message": {"id": "m1", "content": [block]}}
    own, sub = (json.dumps({**row, **more}).encode() + b"\n" for more in ({}, {"isSidechain": True}))
    assert (calls_in(own), calls_in(sub), calls_in(USER)) == (True, False, False)
    transcript = tmp_path / "t.jsonl"
    transcript.write_bytes(own + line("m2", "Done."))
    assert asyncio.run(final_texts(str(transcript), "Done.", since=0)).calls
    assert not asyncio.run(final_texts(str(transcript), "Done.", since=len(own))).calls


def test_a_process_of_its_own_waits_the_same_way(tmp_path: Path) -> None:
    """The command hook has no event loop; what it finds is the same, and the wait is bounded."""
    transcript = tmp_path / "t.jsonl"
    transcript.write_bytes(line("m1", "a") + line("m1", "b"))
    assert wait_for_texts(str(transcript), "b", since=0).texts == ("a", "b")
    assert wait_for_texts(str(transcript), "c", since=7, patience=0.02) == Heard(end=7)
