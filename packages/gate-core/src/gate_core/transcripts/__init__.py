"""Transcripts (`gate-transcript/1`): reading and checking the files, playing them through the gate (spec 60)."""

from __future__ import annotations

from gate_core.transcripts.expect import mismatches
from gate_core.transcripts.files import Problem, Read, read_file, schema
from gate_core.transcripts.play import Judged, Played, play
from gate_core.transcripts.readers import Skipped, conversations, format_of, reader_names
from gate_core.transcripts.replay import Replayed, Row, replay

__all__ = [
    "Judged",
    "Played",
    "Problem",
    "Read",
    "Replayed",
    "Row",
    "Skipped",
    "conversations",
    "format_of",
    "mismatches",
    "play",
    "read_file",
    "reader_names",
    "replay",
    "schema",
]
