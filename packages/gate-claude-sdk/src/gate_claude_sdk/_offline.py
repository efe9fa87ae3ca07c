"""The environment in which the CLI talks to one loopback address and to nothing else."""

from __future__ import annotations

from pathlib import Path

_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY")
_OFF = ("CLAUDE_CODE_ENABLE_TELEMETRY", "CLAUDE_CODE_SIMPLE")
_BLANK = (
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_CUSTOM_HEADERS",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
)
_ON = (
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
    "CLAUDE_CODE_DISABLE_FEATURE_FLAGS",
    "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL",
    "DISABLE_TELEMETRY",
    "DISABLE_ERROR_REPORTING",
    "DISABLE_AUTOUPDATER",
    "DISABLE_BUG_COMMAND",
    "DISABLE_COST_WARNINGS",
    "DISABLE_GROWTHBOOK",
    "IS_SANDBOX",
)


def offline_environment(base_url: str, home: Path) -> dict[str, str]:
    """Variables for `ClaudeAgentOptions.env`: model requests go to `base_url`, files of the CLI go under `home`.

    The SDK lays them over the process's environment, so what must not leak from there is set to nothing here. The
    folders are made.
    """
    temporary = home / "tmp"
    temporary.mkdir(parents=True, exist_ok=True)
    places = {
        "HOME": home,
        "CLAUDE_CONFIG_DIR": home / ".claude",
        "XDG_CONFIG_HOME": home / ".config",
        "XDG_CACHE_HOME": home / ".cache",
        "XDG_DATA_HOME": home / ".local" / "share",
        "TMPDIR": temporary,
    }
    loopback = "127.0.0.1,localhost"
    return {
        **{name: str(place) for name, place in places.items()},
        **dict.fromkeys(_ON, "1"),
        **dict.fromkeys(_OFF, "0"),
        **dict.fromkeys(_BLANK, ""),
        **{name: "" for proxy in _PROXIES for name in (proxy, proxy.lower())},
        "NO_PROXY": loopback,
        "no_proxy": loopback,
        "ANTHROPIC_BASE_URL": base_url,
        "ANTHROPIC_API_KEY": "not-a-key",
    }
