"""The ready judges, through the vendors' real clients, against a server on this machine."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from gate_core import Attempt, ConfigError, Gate, ToolCall
from gate_core.judges import SamplingVerifier, anthropic_judge, openai_judge
from gate_core.judges.clients import MAX_TOKENS, ClientJudge
from gate_core.judges.prompt import SYSTEM

# Both come with `gate-core[llm]`; CI also runs these tests with no extra, where there is nothing to test.
anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")

VENDORS = ("anthropic", "openai")
STEERING = {"temperature", "top_p", "top_k"}


@dataclass
class Server:
    """What the server was asked, and what it says next: the last reply is repeated."""

    url: str = ""
    asked: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    replies: list[tuple[int, str, str]] = field(default_factory=list)
    hang: bool = False
    go: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def next(self) -> tuple[int, str, str]:
        """(status, content type, body) of the next reply."""
        with self.lock:
            return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server on loopback; no key and no address of the environment is used."""
    for name in (
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "ANTHROPIC_BASE_URL",
        "OPENAI_API_KEY",
        "OPENAI_BASE_URL",
    ):
        monkeypatch.delenv(name, raising=False)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            with state.lock:
                state.asked.append((self.path, json.loads(body)))
            if state.hang:
                state.go.wait(10)
                self.close_connection = True
                return
            status, kind, text = state.next()
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *args: object) -> None:
            """Quiet."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    state.url = f"http://127.0.0.1:{http.server_port}"
    try:
        yield state
    finally:
        state.go.set()
        http.shutdown()
        thread.join()
        http.server_close()


def says(vendor: str, text: str) -> tuple[int, str, str]:
    """A reply of the vendor's API with that text."""
    if vendor == "anthropic":
        content = [{"type": "thinking", "thinking": "no", "signature": "s"}, {"type": "text", "text": text}]
        usage = {"input_tokens": 1, "output_tokens": 1}
        body: dict[str, Any] = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": content}
        return 200, "application/json", json.dumps({**body, "stop_reason": "end_turn", "usage": usage})
    message = {"role": "assistant", "content": text}
    choices = [{"index": 0, "finish_reason": "stop", "message": message}]
    made = {"id": "c", "object": "chat.completion", "created": 1, "model": "m", "choices": choices}
    return 200, "application/json", json.dumps(made)


def client_of(vendor: str, server: Server, *, awaited: bool = False) -> Any:
    """The vendor's client, told to ask the server, with its own retries still on."""
    if vendor == "anthropic":
        kind = anthropic.AsyncAnthropic if awaited else anthropic.Anthropic
        return kind(api_key="k", base_url=server.url)
    kind = openai.AsyncOpenAI if awaited else openai.OpenAI
    return kind(api_key="k", base_url=f"{server.url}/v1")


JUDGES: dict[str, Callable[..., ClientJudge]] = {"anthropic": anthropic_judge, "openai": openai_judge}


@pytest.fixture
def close() -> Iterator[Callable[[Any], Any]]:
    """Closes clients at the end, so that no socket is left to the garbage collector."""
    clients: list[Any] = []

    def keep(client: Any) -> Any:
        clients.append(client)
        return client

    yield keep
    for client in clients:
        client.close()


Close = Callable[[Any], Any]


def test_the_request_of_the_messages_api(server: Server, close: Close) -> None:
    """Whole: model, bound, instructions apart from the data, and nothing that steers the sampling."""
    server.replies = [says("anthropic", "yes")]
    judge = anthropic_judge(model="claude-x", client=close(client_of("anthropic", server)))
    assert judge("question") == "yes"
    assert server.asked == [
        (
            "/v1/messages",
            {
                "model": "claude-x",
                "max_tokens": MAX_TOKENS,
                "system": SYSTEM,
                "messages": [{"role": "user", "content": "question"}],
            },
        )
    ]


def test_the_request_of_the_chat_completions_api(server: Server, close: Close) -> None:
    """Whole, too; the bound of the caller is used."""
    server.replies = [says("openai", "No.")]
    judge = openai_judge(model="gpt-x", client=close(client_of("openai", server)), max_tokens=16)
    assert judge("question") == "No."
    assert server.asked == [
        (
            "/v1/chat/completions",
            {
                "model": "gpt-x",
                "max_completion_tokens": 16,
                "messages": [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "question"}],
            },
        )
    ]


def read_gate(verifier: SamplingVerifier) -> Gate:
    """A conversation that read one file."""
    gate = Gate(verifier=verifier)
    gate.begin_turn("Which timeout does app.cfg set?")
    gate.observe(ToolCall(tool="read_file", args={"path": "app.cfg"}, result="timeout = 5"))
    return gate


FIVE = Attempt(parts=("app.cfg sets the timeout to 5.",))


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize(("word", "accepted"), [("yes", True), ("no", False)])
def test_a_gate_asks_k_times_per_criterion(
    vendor: str, word: str, accepted: bool, server: Server, close: Close
) -> None:
    """Two criteria, three samples each; the text of the file and of the answer are in every request."""
    server.replies = [says(vendor, word)]
    gate = read_gate(SamplingVerifier(JUDGES[vendor](model="m", client=close(client_of(vendor, server))), k=3))
    assert gate.boundary_check(FIVE).accepted is accepted
    assert len(server.asked) == 6
    for _, body in server.asked:
        assert not body.keys() & STEERING
        asked = body["messages"][-1]["content"]
        assert "| timeout = 5" in asked
        assert "| app.cfg sets the timeout to 5." in asked


@pytest.mark.parametrize("vendor", VENDORS)
def test_an_asynchronous_client_is_awaited(vendor: str, server: Server) -> None:
    """By `aboundary_check`, all at once; `boundary_check` says that it cannot, as a failure of the gate."""
    server.replies = [says(vendor, "no")]

    async def run() -> None:
        client = client_of(vendor, server, awaited=True)
        verifier = SamplingVerifier(JUDGES[vendor](model="m", client=client), k=2)
        verdict = await read_gate(verifier).aboundary_check(FIVE)
        assert (verdict.codes, verdict.confidence) == (("verifier-downgrade",), 0.0)
        assert read_gate(verifier).boundary_check(FIVE).codes == ("gate-error",)
        await client.close()

    asyncio.run(run())
    assert len(server.asked) == 4


GARBAGE = {
    "500": (500, "application/json", '{"error": {"message": "down"}}'),
    "503": (503, "text/plain", "busy"),
    "429": (429, "application/json", '{"error": {"message": "slow down"}}'),
    "wrong key": (401, "application/json", '{"error": {"message": "who?"}}'),
    "unknown model": (404, "application/json", '{"error": {"message": "what?"}}'),
    "a page": (200, "text/html", "<html>proxy</html>"),
    "no JSON": (200, "application/json", "{"),
    "other JSON": (200, "application/json", "{}"),
    "a list": (200, "application/json", "[1]"),
    "null": (200, "application/json", "null"),
    "nothing inside": (200, "application/json", '{"content": null, "choices": []}'),
}


@pytest.mark.parametrize("garbage", GARBAGE.values(), ids=GARBAGE.keys())
@pytest.mark.parametrize("vendor", VENDORS)
def test_an_outage_abstains_or_downgrades(
    vendor: str, garbage: tuple[int, str, str], server: Server, close: Close
) -> None:
    """An error status, or a body that is no response: asked once, not again; by default nothing changes."""
    server.replies = [garbage]
    client = close(client_of(vendor, server))
    verdict = read_gate(SamplingVerifier(JUDGES[vendor](model="m", client=client), k=1)).boundary_check(FIVE)
    assert (verdict.accepted, verdict.confidence) == (True, None)
    assert len(server.asked) == 2
    strict = JUDGES[vendor](model="m", client=client, on_error="downgrade")
    verdict = read_gate(SamplingVerifier(strict, k=1)).boundary_check(FIVE)
    assert (verdict.codes, verdict.confidence) == (("verifier-downgrade",), 0.0)


@pytest.mark.parametrize("awaited", [False, True])
@pytest.mark.parametrize("vendor", VENDORS)
def test_a_server_that_hangs_costs_the_timeout_once(
    vendor: str, awaited: bool, server: Server, close: Close, caplog: pytest.LogCaptureFixture
) -> None:
    """All samples wait at the same time; the outage is logged by its kind."""
    server.hang = True
    server.replies = [says(vendor, "yes")]

    async def run() -> object:
        client = client_of(vendor, server, awaited=True)
        gate = read_gate(SamplingVerifier(JUDGES[vendor](model="m", client=client, timeout=0.2), k=2))
        verdict = await gate.aboundary_check(FIVE)
        await client.close()
        return verdict.accepted, verdict.confidence

    if awaited:
        assert asyncio.run(run()) == (True, None)
    else:
        judge = JUDGES[vendor](model="m", client=close(client_of(vendor, server)), timeout=0.2)
        verdict = read_gate(SamplingVerifier(judge, k=2)).boundary_check(FIVE)
        assert (verdict.accepted, verdict.confidence) == (True, None)
    assert "the judge could not be asked: APITimeoutError" in caplog.text


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_server_that_is_not_there_is_an_outage(vendor: str, server: Server, close: Close) -> None:
    """Nothing listens."""
    server.url = "http://127.0.0.1:9"
    assert JUDGES[vendor](model="m", client=close(client_of(vendor, server)))("q") is None


@pytest.mark.parametrize("vendor", VENDORS)
def test_some_lost_samples_leave_the_others(vendor: str, server: Server, close: Close) -> None:
    """One lost, one no of the other three."""
    server.replies = [GARBAGE["500"], says(vendor, "maybe"), says(vendor, "no"), says(vendor, "yes")]
    judge = JUDGES[vendor](model="m", client=close(client_of(vendor, server)))
    score = SamplingVerifier(judge, k=5, at_once=1).score(FIVE, (), ("claim_supported",))
    assert score == {"claim_supported": pytest.approx(2 / 3)}


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_client_is_made_of_the_environment(vendor: str, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Key and address are read by the vendor's library, not by us."""
    server.replies = [says(vendor, "yes")]
    monkeypatch.setenv(f"{vendor.upper()}_API_KEY", "k")
    monkeypatch.setenv(f"{vendor.upper()}_BASE_URL", server.url if vendor == "anthropic" else f"{server.url}/v1")
    assert JUDGES[vendor](model="m")("q") == "yes"


def test_a_client_that_cannot_be_made_is_refused_when_the_judge_is_built(server: Server) -> None:
    """Without a key."""
    with pytest.raises(ConfigError, match="no openai client could be made"):
        openai_judge(model="m")


@pytest.mark.parametrize("vendor", VENDORS)
def test_a_missing_library_is_named_with_its_install_line(vendor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the judge is built."""
    monkeypatch.setitem(__import__("sys").modules, vendor, None)
    with pytest.raises(ConfigError, match=r"pip install 'gate-core\[llm\]'"):
        JUDGES[vendor](model="m")


@pytest.mark.parametrize("vendor", VENDORS)
def test_another_word_for_on_error_is_refused(vendor: str) -> None:
    """When the judge is built."""
    with pytest.raises(ConfigError, match="on_error"):
        JUDGES[vendor](model="m", on_error="accept")


def test_the_judges_load_no_client(tmp_path: object) -> None:
    """Importing them is cheap and needs no extra."""
    import subprocess
    import sys

    code = "import sys, gate_core.judges; print([m for m in ('anthropic', 'openai', 'httpx2') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
