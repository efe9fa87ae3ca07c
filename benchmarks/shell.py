"""Observing shell calls: what the analysis of a command costs, beside a read with the same arguments and result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from benchmarks.measure import MS, beside, seconds, sound
from benchmarks.observing import FLOOR_ONLY
from benchmarks.table import Row, Sample, Target
from benchmarks.texts import log
from gate_core import Gate, ToolCall

COMMANDS = (
    "ls -la",
    "pwd",
    "git status --short",
    "git diff HEAD~1 -- src/app.py",
    "git log --oneline -5",
    "git add -A && git commit -m 'Raise the timeout'",
    "git push origin main",
    "git checkout -b fix/timeout",
    "cat app.cfg",
    "head -50 src/app.py",
    "tail -n 20 logs/app.log | grep ERROR",
    "sed -n '1,40p' src/app.py",
    "sed -i 's/timeout = 5/timeout = 30/' app.cfg",
    "echo 'timeout = 30' >> app.cfg",
    "printf '%s\\n' a b c > list.txt",
    "cat > notes.txt <<'EOF'\nfirst\nsecond\nEOF",
    "grep -rn 'timeout' src/ --include='*.py'",
    "rg -n timeout src | head",
    "find . -name '*.py' -not -path './.venv/*' | xargs wc -l",
    "mkdir -p build/out && cp app.cfg build/out/",
    "mv old.py new.py",
    "rm -rf build dist *.egg-info",
    "touch src/__init__.py",
    "chmod +x run.sh && ./run.sh",
    "pytest -q",
    "python -m pytest tests/test_app.py -x -q 2>&1 | tail -20",
    "cd packages/core && uv run pytest -q tests",
    "npm test -- --runInBand",
    "npm run build && npm run lint",
    "cargo test --all",
    "go test ./...",
    "make test",
    "ruff check --fix . && mypy src",
    "docker compose up -d db",
    "curl -s -X POST http://localhost:8000/api/orders -d '{\"id\": 4471}'",
    "psql -c 'select count(*) from orders'",
    "python - <<'PY'\nimport json\nprint(json.load(open('data.json'))['total'])\nPY",
    'for f in src/*.py; do python -m py_compile "$f" || exit 1; done',
    "if [ -f app.cfg ]; then cat app.cfg; else echo missing; fi",
    "FOO=1 BAR=2 env | sort | uniq -c | sort -rn > env.txt",
)
HEREDOC = 100_000  # characters


def shell(*, quick: bool) -> Iterator[Row]:
    """The median command, then one that writes a file of 100 KB."""
    rounds, commands = (1, COMMANDS[:4]) if quick else (20, COMMANDS)
    costs = [_costs(command, rounds=rounds) for command in commands]
    yield _row("observe a typical command", costs, most=0.15)
    body = log(1_000 if quick else HEREDOC).replace("\n", "\n\t")
    heredoc = _costs(f"cat > big.log <<'EOF'\n{body}\nEOF", rounds=rounds)
    yield _row("observe a 100 KB heredoc", [heredoc], most=50)


def _row(name: str, costs: Sequence[tuple[Sample, Sample]], *, most: float) -> Row:
    return Row(
        name=name,
        unit="ms",
        ours=_middle([ours for ours, _ in costs]),
        reference=_middle([read for _, read in costs]),
        beside="a read of the same size",
        target=Target(most=most),
    )


def _middle(samples: Sequence[Sample]) -> Sample:
    """The median command's median and minimum, in milliseconds."""
    return Sample(median=median(s.median for s in samples), minimum=median(s.minimum for s in samples)).scaled(MS)


def _costs(command: str, *, rounds: int) -> tuple[Sample, Sample]:
    gate = Gate(FLOOR_ONLY)
    gate.begin_turn("Do what is needed.")

    def run(tool: str, key: str) -> float:
        call = ToolCall(tool=tool, args={key: command}, result="done\n", exit_code=0)
        return seconds(lambda: gate.observe(call))

    taken = beside({"ours": lambda: run("shell", "command"), "read": lambda: run("read_file", "path")}, rounds=rounds)
    sound(gate)
    return taken["ours"], taken["read"]
