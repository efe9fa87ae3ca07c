"""The conformance suite: the same case gives the same verdicts on every framework (spec 60).

An adapter is conformant when the real framework, driven by a scripted model with real tools in a temporary
workspace, gives the verdicts of the core on every case it can express. `python -m gate_core.conformance DRIVER`
prints a report.
"""

from __future__ import annotations

from gate_core.conformance.case import Case, CaseCall, CaseTurn, ModelStep, load_cases
from gate_core.conformance.driver import CaseRun, Driver
from gate_core.conformance.player import Player
from gate_core.conformance.runner import Result, Status, installed_drivers, run_case, run_suite
from gate_core.conformance.tools import FileTools, ToolFailure

__all__ = [
    "Case",
    "CaseCall",
    "CaseRun",
    "CaseTurn",
    "Driver",
    "FileTools",
    "ModelStep",
    "Player",
    "Result",
    "Status",
    "ToolFailure",
    "installed_drivers",
    "load_cases",
    "run_case",
    "run_suite",
]
