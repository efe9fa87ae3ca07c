"""Which looks show something new: noise is scrubbed, real differences stay, changes make a look worth repeating."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate_core import Fact, Gate, GateConfig, Json, SignalEvent, ToolCall, observe
from gate_core.footprint.observe import skeleton_of
from gate_core.ledger import Ledger, novelty, scrub
from gate_core.ledger.budget import Budget, fold_budget
from gate_core.ledger.renewal import Renewals
from gate_core.model.fact import Effect
from gate_core.model.kinds import Did, Outcome

U1, U2 = "550e8400-e29b-41d4-a716-446655440000", "c9bf9e57-1685-4c89-bafb-ff5af830be8a"

NOISE = {
    "pytest": ("===== 12 passed, 1 skipped in 0.41s =====", "===== 12 passed, 1 skipped in 10.07s ====="),
    "pytest minutes": ("3 passed in 61.02s (0:01:01)", "3 passed in 64.90s (0:01:04)"),
    "pytest slowest": ("0.51s call     tests/test_a.py::test_x", "0.49s call     tests/test_a.py::test_x"),
    "pytest folder": ("rootdir /tmp/pytest-of-root/pytest-12/a", "rootdir /tmp/pytest-of-root/pytest-13/a"),
    "unittest": ("Ran 3 tests in 0.012s\n\nOK", "Ran 3 tests in 0.009s\n\nOK"),
    "go test": ("ok  \texample.com/m/pkg\t0.123s", "ok  \texample.com/m/pkg\t0.098s"),
    "go test -v": ("--- PASS: TestA (0.00s)", "--- PASS: TestA (0.03s)"),
    "cargo": ("Finished `dev` profile [unoptimized] in 0.52s", "Finished `dev` profile [unoptimized] in 1.02s"),
    "jest": ("Tests: 3 passed, 3 total\nTime:        1.24 s", "Tests: 3 passed, 3 total\nTime:        0.98 s"),
    "mocha": ("  3 passing (12ms)", "  3 passing (9ms)"),
    "vitest": ("Duration  1.20s (transform 30ms, setup 0ms)", "Duration  0.97s (transform 28ms, setup 0ms)"),
    "npm": ("added 3 packages in 2s", "added 3 packages in 14s"),
    "maven": ("BUILD SUCCESS\nFinished at: 2026-11-30T07:28:44Z", "BUILD SUCCESS\nFinished at: 2026-11-30T07:31:02Z"),
    "time": ("real\t0m0.012s\nuser\t0m0.004s", "real\t0m1.112s\nuser\t0m0.010s"),
    "mysql": ("1 row in set (0.00 sec)", "1 row in set (0.02 sec)"),
    "psql": (" 42\n(1 row)\n\nTime: 1.234 ms", " 42\n(1 row)\n\nTime: 10.002 ms"),
    "explain": (
        "Seq Scan (actual time=0.01..0.02 rows=3)\nExecution Time: 0.040 ms",
        "Seq Scan (actual time=0.02..0.03 rows=3)\nExecution Time: 0.051 ms",
    ),
    "elasticsearch": ('{"took":3,"hits":{"total":7}}', '{"took":15,"hits":{"total":7}}'),
    "json duration": ('{"duration_ms": 412, "ok": true}', '{"duration_ms": 88, "ok": true}'),
    "ping": (
        "64 bytes from 1.1.1.1: icmp_seq=1 ttl=57 time=12.3 ms",
        "64 bytes from 1.1.1.1: icmp_seq=1 ttl=57 time=9.87 ms",
    ),
    "docker ps": (
        "CONTAINER ID   CREATED       STATUS         NAMES\n4f2a1b3c4d5e   2 hours ago   Up 3 minutes   web",
        "CONTAINER ID   CREATED       STATUS          NAMES\n4f2a1b3c4d5e   2 hours ago   Up 12 minutes   web",
    ),
    "docker young": ("web   Up 59 seconds (healthy)", "web   Up About a minute (healthy)"),
    "docker exited": ("db   Exited (1) 5 minutes ago", "db   Exited (1) About an hour ago"),
    "compose logs": ("web-1  | 2026-11-30 07:28:44 started", "web-1  | 2026-11-30 07:30:01 started"),
    "kubectl": (
        "NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          59s",
        "NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          2m5s",
    ),
    "kubectl restarts": (
        "NAME    READY   STATUS    RESTARTS      AGE   IP\nweb-0   1/1     Running   3 (5m ago)    2d    10.0.0.4",
        "NAME    READY   STATUS    RESTARTS       AGE   IP\nweb-0   1/1     Running   3 (12m ago)    2d    10.0.0.4",
    ),
    "systemd": (
        "Active: active (running) since Mon 2026-11-30 07:00:00 UTC; 3min 2s ago\nMain PID: 812 (nginx)",
        "Active: active (running) since Mon 2026-11-30 07:00:00 UTC; 14min ago\nMain PID: 812 (nginx)",
    ),
    "ps": (
        "    PID TTY          TIME CMD\n   4242 pts/0    00:00:00 bash\n   4250 pts/0    00:00:00 ps",
        "    PID TTY          TIME CMD\n   4242 pts/0    00:00:01 bash\n  14251 pts/0    00:00:00 ps",
    ),
    "ps -ef": (
        "UID   PID  PPID  C STIME TTY      TIME CMD\nroot   12     1  0 07:20 ?    00:00:00 nginx -g x",
        "UID   PID  PPID  C STIME TTY      TIME CMD\nroot   12     1  0 07:20 ?    00:00:09 nginx -g x",
    ),
    "curl -i": (
        "HTTP/1.1 200 OK\r\nDate: Mon, 30 Nov 2026 07:28:44 GMT\r\nAge: 12\r\nX-Request-Id: 9f3ab2c1\r\n\r\nok",
        "HTTP/1.1 200 OK\r\nDate: Mon, 30 Nov 2026 07:29:01 GMT\r\nAge: 29\r\nX-Request-Id: 77aa01be\r\n\r\nok",
    ),
    "curl -v": (
        "< date: Mon, 30 Nov 2026 07:28:44 GMT\n< cf-ray: 8f1-FRA",
        "< date: Tue, 01 Dec 2026 00:00:02 GMT\n< cf-ray: 9a2-MUC",
    ),
    "cookie": ("Set-Cookie: sid=Zm9vYmFyYmF6cXV4MTIz; Path=/", "Set-Cookie: sid=cXV4Zm9vYmFyYmF6OTk5; Path=/"),
    "rate limit": ("X-RateLimit-Remaining: 4998\nbody", "X-RateLimit-Remaining: 4997\nbody"),
    "log": ("2026-11-30 07:28:44,123 INFO ready", "2026-11-30 07:28:45,900 INFO ready"),
    "iso log": ("2026-11-30T07:28:44.123Z\tINFO\tready", "2026-11-30T08:00:00.001Z\tINFO\tready"),
    "loguru": (
        "2026-11-30 07:28:44.123 | INFO     | app:run:5 - ready",
        "2026-11-30 07:29:44.456 | INFO     | app:run:5 - ready",
    ),
    "go log": ("2026/11/30 07:28:44 listening on :80", "2026/11/30 07:31:00 listening on :80"),
    "glog": ("I1130 07:28:44.123456    1234 main.go:12] up", "I1130 07:31:44.654321   99123 main.go:12] up"),
    "logfmt": ('time="2026-11-30T07:28:44Z" level=info msg=ready', 'time="2026-11-30T07:29:59Z" level=info msg=ready'),
    "json log": ('{"timestamp":"2026-11-30T07:28:44Z","msg":"up"}', '{"timestamp":"2026-11-30T07:28:59Z","msg":"up"}'),
    "epoch log": ('{"ts":1796023724.12,"msg":"up"}', '{"ts":1796023801.97,"msg":"up"}'),
    "syslog": ("Nov 30 07:28:44 host sshd[1234]: ok", "Nov 30 07:29:44 host sshd[20451]: ok"),
    "access log": (
        '::1 - - [30/Nov/2026:07:28:44 +0000] "GET / HTTP/1.1" 200 5',
        '::1 - - [30/Nov/2026:07:28:59 +0000] "GET / HTTP/1.1" 200 5',
    ),
    "nginx log": (
        "2026/11/30 07:28:44 [error] 31#31: *5 open() failed",
        "2026/11/30 07:29:44 [error] 47#47: *19 open() failed",
    ),
    "uvicorn": (
        'INFO:     127.0.0.1:54321 - "GET / HTTP/1.1" 200 OK',
        'INFO:     127.0.0.1:49872 - "GET / HTTP/1.1" 200 OK',
    ),
    "uvicorn start": ("INFO:     Started server process [1234]", "INFO:     Started server process [987]"),
    "ssh peer": (
        "Accepted publickey for ana from 10.0.0.5 port 50412",
        "Accepted publickey for ana from 10.0.0.5 port 61000",
    ),
    "traceback": ("TypeError: <app.Order object at 0x7f3a2c1b4d90>", "TypeError: <app.Order object at 0x7fd01188ab10>"),
    "go panic": ("main.f(0xc000012345, 0x2)\n\tmain.go:12 +0x1d", "main.f(0xc0000fe1a8, 0x2)\n\tmain.go:12 +0x1d"),
    "pid": ("server running, pid 4242", "server running, pid 990"),
    "pid json": ('{"pid": 4242, "state": "up"}', '{"pid": 17, "state": "up"}'),
    "background job": ("[1] 4242", "[1] 990"),
    "request id": ("error: not found (request_id: req_011CUkT9xyz)", "error: not found (request_id: req_07ZZaQ2pqrs)"),
    "request id shape": ("served req_9f3ab2", "served req_11c0de"),
    "request uuid": (f"Request {U1} completed", f"Request {U2} completed"),
    "trace uuid": (f'{{"trace_id":"{U1}","total":3}}', f'{{"trace_id":"{U2}","total":3}}'),
    "bracketed uuid": (f"[{U1}] GET /orders 200", f"[{U2}] GET /orders 200"),
    "tqdm": ("100%|██████████| 10/10 [00:03<00:00,  3.10it/s]", "100%|██████████| 10/10 [00:04<00:00,  2.50it/s]"),
    "progress": ("Progress: 45% (450/1000)", "Progress: 60% (600/1000)"),
    "overwritten": ("fetch 10%\rfetch 55%\rdone", "fetch 12%\rfetch 61%\rdone"),
    "wget": ("a.zip saved (12.3 MB/s)", "a.zip saved (9.87 MB/s)"),
    "mktemp": ("wrote /tmp/tmp.Ab12Cd34Ef", "wrote /tmp/tmp.Zz98Yy76Xx"),
    "tempfile": ("wrote /tmp/tmpab12cd_3/out", "wrote /tmp/tmpqq98zz1k/out"),
    "git log age": ("a1b2c3d fix (5 minutes ago)", "a1b2c3d fix (2 hours ago)"),
    "date": ("Mon Nov 30 07:28:44 UTC 2026", "Mon Nov 30 07:28:51 UTC 2026"),
    "date of the C locale": ("Mon Nov 30 07:28:44 2026", "Mon Nov 30 07:28:51 2026"),
    "top": ("top - 07:28:44 up 3 days,  4:05,  1 user", "top - 07:31:09 up 3 days,  4:08,  1 user"),
    "uptime": ("07:28:44 up 3 days,  4:05,  1 user", "07:31:09 up 3 days,  4:08,  1 user"),
    "process gone": ("Process 1234 exited with code 0", "Process 987 exited with code 0"),
    "git fetch": ("Receiving objects:  45% (450/1000)", "Receiving objects:  61% (610/1000)"),
    "bar": ("[=====>     ] 45%", "[======>    ] 61%"),
    "elapsed": ('{"elapsed_ms": 412, "n": 3}', '{"elapsed_ms": 97, "n": 3}'),
    "elapsed clock": ("Elapsed: 00:00:03.12", "Elapsed: 00:01:44.02"),
    "seed": ("Using --randomly-seed=1234", "Using --randomly-seed=987"),
}
"""Name -> two outputs of the same look that say the same."""

REAL = {
    "sha256": ("a" * 60 + "1f2e  a.zip", "a" * 60 + "9c0b  a.zip"),
    "commit": ("commit 1a2b3c4d5e6f70819203\n    fix", "commit 99ff3c4d5e6f70819203\n    fix"),
    "short commit": ("1a2b3c4 fix the parser", "9f8e7d6 fix the parser"),
    "count": (" count \n-------\n    42\n(1 row)", " count \n-------\n    43\n(1 row)"),
    "rows": ("3 rows in set (0.00 sec)", "4 rows in set (0.00 sec)"),
    "rows affected": ("UPDATE 12", "UPDATE 13"),
    "date setting": ("expires = 2026-01-01", "expires = 2026-01-02"),
    "date-time setting": ("expires = 2026-01-01T00:00:00Z", "expires = 2026-01-02T00:00:00Z"),
    "yaml date": ("date: 2026-01-01T00:00:00Z", "date: 2026-01-02T00:00:00Z"),
    "json date": ('{"expires_at": "2026-01-01T00:00:00Z"}', '{"expires_at": "2026-01-02T00:00:00Z"}'),
    "start time": ("start_time = 2026-01-01 09:00:00", "start_time = 2026-01-01 10:00:00"),
    "schedule": ("backup_at = 03:00:00", "backup_at = 04:00:00"),
    "schedule under time": ("time: 03:00:00", "time: 04:00:00"),
    "meeting": ("Meeting on 2026-12-01 10:00", "Meeting on 2026-12-02 10:00"),
    "version": ("gate-core 0.4.1", "gate-core 0.4.2"),
    "version in text": ("Installed in version 1.2.3", "Installed in version 1.2.4"),
    "price": ("Total: 19.99 EUR", "Total: 21.99 EUR"),
    "size": ("-rw-r--r-- 1 root root 1204 Nov 30 07:28 a.cfg", "-rw-r--r-- 1 root root 1304 Nov 30 07:28 a.cfg"),
    "mtime": ("-rw-r--r-- 1 root root 1204 Nov 30 07:28 a.cfg", "-rw-r--r-- 1 root root 1204 Nov 30 07:31 a.cfg"),
    "stat": ("Modify: 2026-11-30 07:28:44.123 +0000", "Modify: 2026-11-30 07:31:09.456 +0000"),
    "full mtime": (
        "-rw-r--r-- 1 r r 12 2026-11-30 07:28:44.000 +0000 a",
        "-rw-r--r-- 1 r r 12 2026-11-30 07:30:44.000 +0000 a",
    ),
    "tests passed": ("===== 12 passed in 0.41s =====", "===== 13 passed in 0.41s ====="),
    "tests failed": ("===== 1 failed, 12 passed in 0.41s =====", "===== 2 failed, 11 passed in 0.41s ====="),
    "line number": ('  File "app.py", line 12, in run', '  File "app.py", line 14, in run'),
    "grep": ("a.cfg:12:timeout = 30", "a.cfg:13:timeout = 30"),
    "timeout setting": ("timeout = 30s", "timeout = 60s"),
    "fine timeout": ("timeout = 0.5s", "timeout = 1.5s"),
    "duration setting": ("duration: 30", "duration: 45"),
    "cpu limit": ("cpu: 500m", "cpu: 250m"),
    "trial": ("Your trial expires in 30 days", "Your trial expires in 29 days"),
    "retry": ("retry in 5s", "retry in 30s"),
    "last modified": ("Last-Modified: Mon, 30 Nov 2026 07:28:44 GMT", "Last-Modified: Mon, 30 Nov 2026 08:00:00 GMT"),
    "etag": ('ETag: "9f3ab2c1"', 'ETag: "77aa01be"'),
    "status": ("HTTP/1.1 200 OK", "HTTP/1.1 201 OK"),
    "content length": ("HTTP/1.1 200 OK\r\nContent-Length: 120", "HTTP/1.1 200 OK\r\nContent-Length: 121"),
    "age of a person": ("name: Ana\nage: 31", "name: Ana\nage: 32"),
    "record uuid": (f'{{"id": "{U1}"}}', f'{{"id": "{U2}"}}'),
    "uuid list": (f"ids = [{U1}]", f"ids = [{U2}]"),
    "dates list": ("on = [2026-01-01 00:00:00]", "on = [2026-01-02 00:00:00]"),
    "listen port": ("listen = 0.0.0.0:50051", "listen = 0.0.0.0:50052"),
    "docker port": ("0.0.0.0:32768->80/tcp", "0.0.0.0:32769->80/tcp"),
    "well-known peer port": ("proxy from 10.0.0.5:8080", "proxy from 10.0.0.5:8443"),
    "container id": ("4f2a1b3c4d5e   web:1   Up 3 minutes", "9f2a1b3c4d5e   web:1   Up 3 minutes"),
    "exit code": ("db   Exited (0) 5 minutes ago", "db   Exited (1) 5 minutes ago"),
    "health": ("web   Up 3 minutes (healthy)", "web   Up 3 minutes (unhealthy)"),
    "restarts": (
        "NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          59s",
        "NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   1          59s",
    ),
    "ready": (
        "NAME    READY   STATUS    RESTARTS   AGE\nweb-0   0/1     Running   0          59s",
        "NAME    READY   STATUS    RESTARTS   AGE\nweb-0   1/1     Running   0          61s",
    ),
    "process gone": (
        "    PID TTY          TIME CMD\n   4242 pts/0    00:00:00 bash\n   4250 pts/0    00:00:00 nginx",
        "    PID TTY          TIME CMD\n   4242 pts/0    00:00:00 bash\n   4250 pts/0    00:00:00 redis",
    ),
    "age in SQL": (" name | age \n------+-----\n Ana  |  31", " name | age \n------+-----\n Ana  |  32"),
    "time series": (" 2026-11-30 07:28:44 | 21.5", " 2026-11-30 07:28:54 | 21.5"),
    "csv": ("2026-11-30T07:28:44Z,21.5", "2026-11-30T07:29:44Z,21.5"),
    "newest row": ("2026-11-30 07:28:44", "2026-11-30 07:31:09"),
    "log level": ("2026-11-30 07:28:44 INFO ready", "2026-11-30 07:28:44 ERROR ready"),
    "log number": ("2026-11-30 07:28:44 INFO 12 orders", "2026-11-30 07:28:45 INFO 13 orders"),
    "colour": ("color = 0xff00ff", "color = 0xff00aa"),
    "constant": ("OFFSET = 0xcbf29ce484222325", "OFFSET = 0xcbf29ce484222326"),
    "wallet": ("to 0x52908400098527886E0F7030069857D2E4169EE7", "to 0x52908400098527886E0F7030069857D2E4169EE8"),
    "index": ("items[3]: 5", "items[4]: 5"),
    "step of": ("process 3 of 30", "process 4 of 30"),
    "total": ("Progress: 45% (450/1000)", "Progress: 45% (450/2000)"),
    "coverage": ("TOTAL 120 4 96%", "TOTAL 120 3 97%"),
    "bandwidth setting": ("limit = 10 MB/s", "limit = 20 MB/s"),
    "quota": ("3.1 GB of 5 GB used", "3.2 GB of 5 GB used"),
    "seed setting": ("seed = 42", "seed = 43"),
    "order": ("order 4471 is open", "order 4472 is open"),
    "booking": ("ref K7Q9ZP", "ref K7Q9ZR"),
    "phone": ("+49 30 901820", "+49 30 901821"),
    "word": ("state: open", "state: shut"),
    "name": ("def f_add():", "def f_bad():"),
    "indentation": ("if a:\n    b()\nc()", "if a:\n    b()\n    c()"),
    "noise and a difference": ("12 passed in 0.41s, coverage 91", "12 passed in 0.44s, coverage 92"),
    "session kept, role not": (
        "Set-Cookie: sid=Zm9vYmFyYmF6cXV4MTIz; Path=/\nrole=user",
        "Set-Cookie: sid=cXV4Zm9vYmFyYmF6OTk5; Path=/\nrole=root",
    ),
    "theme": ("Set-Cookie: theme=dark", "Set-Cookie: theme=pale"),
    "benchmark": ("12034 ops/s", "12988 ops/s"),
    "took things": ("the order took 3 items", "the order took 4 items"),
    "departure": ("Departure time: 2026-12-01 09:00:00", "Departure time: 2026-12-02 09:00:00"),
    "booking time": ('{"time": "2026-12-01 09:00:00", "seat": 4}', '{"time": "2026-12-02 09:00:00", "seat": 4}'),
    "message id": ('{"ts": "1796023724.000100", "text": "hi"}', '{"ts": "1796023801.000200", "text": "hi"}'),
    "timestamp setting": ("timestamp = 2026-01-01T00:00:00Z", "timestamp = 2026-01-02T00:00:00Z"),
    "measured setting": ("duration = 1.5 s", "duration = 2.5 s"),
    "months in a row": ("prices went up 3 months in a row", "prices went up 4 months in a row"),
    "items to process": ("still to process 12 items", "still to process 13 items"),
    "depth": ("found in 1.5 m depth", "found in 2.5 m depth"),
    "song": ("Blue (0:03:45)", "Blue (0:04:45)"),
    "currency": ("real\t12.50", "real\t13.50"),
    "register": ("mapped at 0x4000", "mapped at 0x4004"),
    "project": ("Project progress: 45%", "Project progress: 60%"),
    "people": ("NAME   AGE\nANA    31", "NAME   AGE\nANA    32"),
    "temperature": ("at 21.5 C", "at 22.5 C"),
}
"""Name -> two outputs that differ in something that matters."""


def gate(**config: Any) -> Gate:
    """A conversation in its first turn."""
    made = Gate(GateConfig(**config))
    made.begin_turn("How is it?")
    return made


def see(g: Gate, result: Json, tool: str = "http_get", **own: Any) -> None:
    """One look."""
    g.observe(ToolCall(tool=tool, args=own.pop("args", {"url": "https://a.example/s"}), result=result, **own))


def budget(g: Gate) -> Budget:
    """The budget, folded from the start."""
    return Ledger(g.state, g.config, g).budget


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are scrubbed from now on, with nothing remembered from before."""
    asked: list[str] = []

    def count(text: str) -> str:
        asked.append(text)
        return scrub.scrub(text)

    monkeypatch.setattr(novelty, "scrub", count)
    monkeypatch.setattr(novelty, "_scrubbed", {})
    return asked


def earned(g: Gate) -> int:
    """How many looks of this turn earned something."""
    return budget(g).looks


def shown(*results: Json, **config: Any) -> int:
    """How many of these results of one look earned something."""
    g = gate(**config)
    for result in results:
        see(g, result)
    return earned(g)


def test_there_are_enough_pairs() -> None:
    """Forty of each, at least (spec 10)."""
    assert min(len(NOISE), len(REAL)) >= 40


@pytest.mark.parametrize("pair", NOISE.values(), ids=NOISE.keys())
def test_noise_is_no_news(pair: tuple[str, str]) -> None:
    """A look that differs from an earlier one in noise alone earns nothing, in either order."""
    assert pair[0] != pair[1]
    assert scrub.scrub(pair[0]) == scrub.scrub(pair[1])
    assert (shown(*pair), shown(*reversed(pair)), shown(*pair, pair[0])) == (1, 1, 1)


@pytest.mark.parametrize("pair", REAL.values(), ids=REAL.keys())
def test_a_real_difference_is_news(pair: tuple[str, str]) -> None:
    """In either order; seen once more it is none."""
    assert scrub.scrub(pair[0]) != scrub.scrub(pair[1])
    assert (shown(*pair), shown(*reversed(pair)), shown(*pair, *pair)) == (2, 2, 2)


@pytest.mark.parametrize("rule", scrub.rules(), ids=lambda rule: rule.name)
def test_every_rule_is_needed(rule: scrub.Noise, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any of them some noisy pair differs."""
    rest = tuple(other for other in scrub.rules() if other != rule)
    monkeypatch.setattr(scrub, "rules", lambda: rest)
    assert any(scrub.scrub(one) != scrub.scrub(other) for one, other in NOISE.values())


def test_a_scrub_of_a_scrub_changes_nothing() -> None:
    """What was taken out stays out."""
    for pair in (*NOISE.values(), *REAL.values()):
        for text in pair:
            assert scrub.scrub(scrub.scrub(text)) == scrub.scrub(text)


def test_noise_and_its_absence_differ() -> None:
    """A mark stands where something was taken out."""
    assert scrub.scrub("pid 42 is up") != scrub.scrub("pid is up")


def test_a_very_long_text_is_compared_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading it would take seconds; what differs in noise alone is then new."""
    monkeypatch.setattr(scrub, "_LONGEST", 12)
    assert scrub.scrub("took 15 ms..") == "took \0.."
    assert scrub.scrub("took 15 ms...") == "took 15 ms..."


def test_a_table_ends_with_an_empty_line() -> None:
    """What follows is compared as it is; a row shorter than the header has no such cell."""
    one = "NAME   AGE\nweb    5d\nx\n\na   b   5d"
    assert scrub.scrub(one).endswith("\n\na b 5d")
    assert (
        scrub.scrub("PID CMD\n12 a\n\n34 b")
        == scrub.scrub("PID CMD\n99 a\n\n34 b")
        != scrub.scrub("PID CMD\n9 a\n\n5 b")
    )


def test_the_same_bytes_are_never_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal bytes and different skeletons are decided by digests; only the third pair is scrubbed, each text once."""
    asked = counted(monkeypatch)
    assert shown("t = 5", "t = 5") == 1
    assert shown("t = 5", "t = (5)") == 2
    assert asked == []
    assert shown("took 5 ms", "took 6 ms", "took 7 ms", "took 6 ms", "took 5 ms") == 1
    assert asked == ["took 5 ms", "took 6 ms", "took 7 ms"]


def test_scrubbed_digests_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """The memory of a process does not grow with its conversations."""
    monkeypatch.setattr(novelty, "_MOST", 3)
    monkeypatch.setattr(novelty, "_scrubbed", {})
    assert shown(*(f"took {n} ms for {n}" for n in range(9))) == 9
    assert len(novelty._scrubbed) <= 3


def test_a_text_that_is_gone_counts_as_new() -> None:
    """The doubt is the agent's: what cannot be compared refills; equal bytes are a repeat all the same."""
    g = gate()
    for result in ("12 passed in 0.41s", "12 passed in 0.44s", "12 passed in 0.41s"):
        see(g, result)
    assert earned(g) == 1
    assert Ledger(g.state, g.config).budget.looks == 2
    see(g, "12 passed in 0.44s")
    assert Ledger(g.state, g.config).budget.looks == 2


def test_a_text_of_other_bytes_than_its_fact_is_gone() -> None:
    """A source that answers something else is not believed."""

    class Liar:
        def call(self, ref: str) -> tuple[dict[str, Json], Json]:
            return {"url": "https://a.example/s"}, "12 passed in 0.41s"

    g = gate()
    see(g, "12 passed in 0.41s")
    see(g, "13 passed in 0.41s")
    see(g, "13 passed in 0.44s")
    assert Ledger(g.state, g.config, Liar()).budget.looks == 3


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("http_get", {"url": "https://b.example"}),
        ("fetch_status", {"url": "https://a.example/s"}),
        ("http_get", {"url": "https://a.example/s", "v": 2}),
    ],
    ids=["other argument", "other tool", "one more argument"],
)
def test_another_call_is_another_look(tool: str, args: dict[str, Json]) -> None:
    """The same result of another call is news; arguments are compared as they are."""
    g = gate()
    see(g, "up")
    see(g, "up", tool, args=args)
    assert earned(g) == 2


@pytest.mark.parametrize(("policy", "looks"), [("default", 1), ("strict", 0)])
def test_strict_remembers_the_whole_conversation(policy: str, looks: int) -> None:
    """By default a turn starts afresh; under "strict" what an earlier turn saw is no news, unless it changed."""
    g = gate(policy=policy)
    see(g, "12 passed in 0.41s")
    g.begin_turn("And now?")
    see(g, "12 passed in 0.44s")
    assert earned(g) == looks
    see(g, "ok", "http_post", args={"url": "https://a.example/s"})
    see(g, "12 passed in 0.47s")
    assert earned(g) == looks + 1


A, B = {"path": "/p/a.cfg"}, {"path": "/p/b.cfg"}


def changes(**own: Any) -> ToolCall:
    """An ok edit, or something else that changes."""
    return ToolCall(**{"tool": "edit_file", "args": {**A, "old": "1", "new": "2"}, "result": "ok", **own})


CHANGES = {
    "the target": (changes(), True),
    "another spelling": (changes(args={"path": "a.cfg", "old": "1", "new": "2"}), True),
    "another target": (changes(args={**B, "old": "1", "new": "2"}), False),
    "a failed change": (changes(result="No match", status="error"), False),
    "a denied change": (changes(status="denied"), False),
    "no change at all": (changes(result="No changes made"), False),
    "a change that timed out": (changes(result="timed out after 30 s", status="error"), True),
    "deleted": (ToolCall(tool="delete_file", args=A, result="ok"), True),
    "moved away": (ToolCall(tool="move_file", args={"src": "/p/a.cfg", "dst": "/p/c.cfg"}, result="ok"), True),
    "something opaque in the domain": (ToolCall(tool="execute_code", args={"code": "f()"}, result="ok"), True),
    "an unknown tool told the target": (ToolCall(tool="zz", args=A, result="ok"), True),
    "an unknown tool told another": (ToolCall(tool="zz", args=B, result="ok"), False),
    "something opaque elsewhere": (ToolCall(tool="mcp__crm__run", args={}, result="ok"), False),
    "a look": (ToolCall(tool="read_file", args=B, result="x"), False),
}


@pytest.mark.parametrize(("between", "new"), CHANGES.values(), ids=CHANGES.keys())
def test_a_change_in_between_makes_a_look_worth_repeating(between: ToolCall, new: bool) -> None:
    """Per target: what did not touch the looked-at thing, or its domain, does not count."""
    g = gate()
    see(g, "t = 5", "read_file", args=A)
    g.observe(between)
    before = earned(g)
    see(g, "t = 5", "read_file", args=A)
    assert (earned(g) - before == 1) is new
    see(g, "t = 5", "read_file", args=A)
    assert (earned(g) - before == 1) is new


@pytest.mark.parametrize(
    ("listed", "path", "new"),
    [
        ("/p", "/p/a.cfg", True),
        ("/p", "/p/x/y/a.cfg", True),
        ("/", "/p/a.cfg", True),
        (".", "/p/a.cfg", True),
        ("/q", "/p/a.cfg", False),
        ("/p/a", "/p/a.cfg", False),
    ],
)
def test_a_change_below_a_folder_renews_its_listing(listed: str, path: str, new: bool) -> None:
    """A folder holds what lies in it."""
    g = gate()
    see(g, "a.cfg", "list_dir", args={"path": listed})
    g.observe(changes(args={"path": path, "old": "1", "new": "2"}))
    see(g, "a.cfg", "list_dir", args={"path": listed})
    assert earned(g) == 1 + new


def test_the_output_of_a_program_rests_on_everything_but_itself() -> None:
    """A run after an edit is news even when it prints the same; run again with nothing changed it is none."""
    g = gate()
    run = ToolCall(tool="execute_code", args={"code": "test()"}, result="3 passed in 0.1s")
    g.observe(run)
    g.observe(run)
    assert earned(g) == 1
    g.observe(changes(args={**B, "old": "1", "new": "2"}))
    g.observe(run)
    g.observe(run)
    assert earned(g) == 2


def look_of(*effects: tuple[str, str, str], signals: tuple[SignalEvent, ...] = ()) -> Fact:
    """A shell look of the second step, as the analysis of its command records it."""
    return Fact(
        key="k",
        turn=1,
        step=2,
        call="c",
        agent="",
        tool="shell",
        profile="shell",
        outcome=Outcome.OK,
        effects=tuple(Effect(did=Did(did), target=target, domain=domain) for did, target, domain in effects),
        signals=signals,
        digest="d",
        skeleton="s",
    )


OWN, SHOWN, LISTED = ("showed", "tool:shell", "tool:shell"), ("showed", "/p/b", "files"), ("listed", "/p/b", "files")
RESTS: dict[str, tuple[Fact, bool]] = {
    "cat b": (look_of(SHOWN, OWN), False),
    "cat b; pytest": (look_of(SHOWN, OWN, signals=(SignalEvent(name="tests_passed"),)), True),
    "cat b; ./run": (look_of(("opaque", "tool:shell", "files"), SHOWN, OWN), True),
    "pytest b": (look_of(LISTED, OWN), True),
    "pytest": (look_of(OWN), True),
}


@pytest.mark.parametrize(("look", "new"), RESTS.values(), ids=RESTS.keys())
def test_a_command_that_shows_a_file_rests_on_that_file(look: Fact, new: bool) -> None:
    """A change of another file renews what a program made of files, not what a command showed of one."""
    seen = novelty.Novelty(GateConfig())
    assert seen.new(replace(look, step=0))
    seen.changed(replace(look_of(("changed", "/p/a", "files")), step=1, skeleton="x"))
    assert seen.new(look) is new


def test_a_change_of_the_same_step_may_come_after_the_look() -> None:
    """Calls of one step are unordered: the change renews later looks, not those beside it."""
    for first, second in ((0, 1), (1, 0)):
        g = gate()
        see(g, "t = 5", "read_file", args=A, step=0)
        pair = (changes(step=1), ToolCall(tool="read_file", args=A, result="t = 5", step=1))
        g.observe(pair[first])
        g.observe(pair[second])
        assert earned(g) == 1
        see(g, "t = 5", "read_file", args=A, step=2)
        assert earned(g) == 2


def test_the_latest_change_counts_however_often_it_was_asked_about() -> None:
    """Changes are filed once, in order; a look between two changes does not hide the second."""
    g = gate()
    for number in range(3):
        for args in (A, B):
            g.observe(changes(args={**args, "old": str(number), "new": "2"}))
            see(g, "t = 5", "read_file", args=A)
    assert (earned(g), budget(g).repeats) == (3, 3)


def test_alternating_changes_are_told_apart() -> None:
    """What one unread program did renews the other, never itself."""
    g = gate()
    for code in ("a()", "a()", "b()", "a()", "a()"):
        g.observe(ToolCall(tool="execute_code", args={"code": code}, result="fine"))
    assert (earned(g), budget(g).repeats) == (3, 2)


def test_normalizers_run_first() -> None:
    """What a normalizer takes away is no difference, and what it leaves is scrubbed; of its own tool alone."""
    upper = {"http_get": lambda text: re.sub(r"<!--.*?-->", "", text)}
    assert shown("a<!-- (1) -->", "a<!-- two! -->", normalizers=upper) == 1
    assert shown("up, took 3 ms<!-- (1) -->", "up, took 4 ms<!-- two! -->", normalizers=upper) == 1
    assert shown("a<!-- (1) -->", "b<!-- (1) -->", normalizers=upper) == 2
    assert shown("a<!-- (1) -->", "a<!-- two! -->", normalizers={"read_file": upper["http_get"]}) == 2


@pytest.mark.parametrize("broken", [lambda text: 1 / 0, lambda text: None], ids=["raises", "no text"])
def test_a_broken_normalizer_changes_nothing(broken: Callable[[str], str]) -> None:
    """The call is on record with its effects, and looks are compared as without it."""
    assert shown("took 3 ms", "took 4 ms", "up", normalizers={"http_get": broken}) == 2
    call = ToolCall(tool="http_get", args={"url": "https://a.example"}, result="x", turn=1)
    assert observe(call, GateConfig(normalizers={"http_get": broken})) == observe(call, GateConfig())


def test_exempt_tools_always_earn_and_are_counted() -> None:
    """Each use of a `novelty_exempt` tool that showed something."""
    g = gate(novelty_exempt=("http_get",))
    for _ in range(3):
        see(g, "same")
        see(g, "same", "read_file", args=A)
    assert (budget(g).looks, budget(g).exempt, budget(g).repeats) == (4, 3, 2)


@pytest.mark.parametrize(
    "text", ["\ud800 in 0.41s", "\0 pid 5", "é" * 50 + "1", ""], ids=["surrogate", "NUL", "accents", "none"]
)
def test_any_text_can_be_compared(text: str) -> None:
    """Lone surrogates, NUL, letters of any script."""
    assert isinstance(scrub.scrub(text), str)
    assert isinstance(skeleton_of(text), bytes)
    assert shown(f"{text} a", f"{text} a") == 1
    assert shown(f"{text} a", f"{text} b") == 2


def test_skeletons_are_blind_to_what_noise_is_made_of() -> None:
    """ASCII letters and digits, blanks, the marks inside times and ids. Brackets, quotes, lines, scripts remain."""
    assert skeleton_of("Up 59 seconds") == skeleton_of("Up About a minute") == b""
    assert skeleton_of("in 0.41s (é)\n") == "(é)\n".encode()
    assert all(skeleton_of(one) == skeleton_of(other) for one, other in NOISE.values())


def test_a_long_turn_folds_in_one_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every text of a look is scrubbed at most once and never compared with each earlier one."""
    for size in (50, 200):
        asked = counted(monkeypatch)
        g = gate()
        for number in range(size):
            see(g, f"{number % 7} rows, took {number} ms")
        assert earned(g) == 7
        assert len(asked) == size


def test_changes_are_filed_only_for_a_look_that_was_seen_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """A conversation without repeats pays nothing for them."""
    filed: list[int] = []

    def count(self: Renewals) -> None:
        filed.append(1)
        original(self)

    original = Renewals._file
    monkeypatch.setattr(Renewals, "_file", count)
    g = gate()
    for number in range(20):
        path = f"/p/{number}.cfg"
        g.observe(changes(args={"path": path, "old": "1", "new": "2"}))
        see(g, "t = 2", "read_file", args={"path": path})
    assert (earned(g), filed) == (20, [])


HOSTILE = {
    "ones": "1 1 1 ",
    "hex word": "0a1b",
    "dots": ".",
    "clock": "07:28:44 ",
    "blanks": " ",
    "address": "0x7f",
    "carriage": "a\r",
    "brackets": "[",
    "percent": "1%|",
    "ids": "request_id=",
    "in": " in 1",
    "ago": "1 s ",
}


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_texts_are_scrubbed(piece: str) -> None:
    """With every cue in them, so that every rule runs; nothing is raised, nothing takes long."""
    cues = " ".join(cue for rule in scrub.rules() for cue in rule.cues)
    assert scrub.scrub(f"{piece * 20_000}\n{cues} PID NAME AGE")


CALLS = st.lists(
    st.one_of(
        st.builds(
            lambda path, result: ToolCall(tool="read_file", args={"path": path}, result=result),
            st.sampled_from(["/p/a.cfg", "a.cfg", "/p/b.cfg"]),
            st.sampled_from(["t = 5", "t = 6", "took 5 ms", "took 6 ms", "12 passed in 0.41s", "12 passed in 0.44s"]),
        ),
        st.builds(
            lambda path: changes(args={"path": path, "old": "1", "new": "2"}), st.sampled_from(["/p/a.cfg", "/p/b.cfg"])
        ),
        st.builds(lambda code: ToolCall(tool="execute_code", args={"code": code}, result="ok"), st.sampled_from("ab")),
        st.just(None),
    ),
    max_size=14,
)


def _play(steps: list[list[ToolCall]], *, times: int = 1, **config: Any) -> Gate:
    """One turn with these calls, step by step, each reported so many times."""
    g = gate(**config)
    for number, step in enumerate(steps):
        for call in step * times:
            g.observe(replace(call, step=number))
    return g


def _in_steps(calls: list[ToolCall | None], size: int) -> list[list[ToolCall]]:
    """The calls with an id each, so many to a step."""
    named = [replace(call, call_id=f"c{number}") for number, call in enumerate(calls) if call is not None]
    return [named[at : at + size] for at in range(0, len(named), size)]


PROPERTIES = settings(deadline=None, max_examples=100, derandomize=True)


@PROPERTIES
@given(calls=CALLS, size=st.integers(1, 4), seed=st.integers(0, 99), policy=st.sampled_from(["default", "strict"]))
def test_the_order_of_parallel_results_does_not_matter(
    calls: list[ToolCall | None], size: int, seed: int, policy: str
) -> None:
    """Any order within a step gives the same budget, and so does any order of the stored facts."""
    steps = _in_steps(calls, size)
    shuffled = [random.Random(seed).sample(step, len(step)) for step in steps]
    one, other = _play(steps, policy=policy), _play(shuffled, policy=policy)
    assert budget(one) == budget(other)
    facts = list(Ledger(one.state, one.config).facts)
    random.Random(seed).shuffle(facts)
    facts.sort(key=lambda fact: fact.at)
    assert fold_budget(facts, 1, one.config, Ledger(one.state, one.config, one).text) == budget(one)


@PROPERTIES
@given(calls=CALLS, size=st.integers(1, 4))
def test_observing_twice_is_observing_once(calls: list[ToolCall | None], size: int) -> None:
    """A call reported again, with its id, is no second look."""
    steps = _in_steps(calls, size)
    assert budget(_play(steps)) == budget(_play(steps, times=2))


@PROPERTIES
@given(calls=CALLS, model_class=st.sampled_from(["default", "skipper", "diverger"]))
def test_the_budget_stays_on_its_rope(calls: list[ToolCall | None], model_class: str) -> None:
    """Within 0 and cap after every call, whatever comes."""
    g = gate(model_class=model_class)
    for call in calls:
        if call is None:
            g.reasoning_step()
        else:
            g.observe(call)
        found = budget(g)
        assert 0 <= found.left <= found.cap
        assert found == fold_budget(Ledger(g.state, g.config).facts, 1, g.config, Ledger(g.state, g.config, g).text)
