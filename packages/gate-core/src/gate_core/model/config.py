"""The configuration: every key of spec 70, checked once, with the defaults of spec 00."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import TypeVar

from gate_core.model.config_kinds import check_kinds
from gate_core.model.errors import ConfigError
from gate_core.model.json import Json, canonical, digest
from gate_core.model.kinds import Layer, Policy, Posture, Settle, Strength
from gate_core.model.patterns import compiled, pattern_of
from gate_core.model.profile import SignalRule, ToolProfile, parse_profile, parse_signal

MODEL_CLASSES: dict[str, tuple[int, int]] = {"default": (6, 2), "skipper": (5, 2), "diverger": (4, 1)}
"""Model class -> (cap, refill) of the reasoning budget."""

DIALS = (Layer.FLOOR, Layer.BUDGET, Layer.STATEMENTS, Layer.VALUES, Layer.ACTIONS, Layer.WRITES)
"""The layers that `layers` may set."""

_DEFAULT_LAYERS: dict[Layer, Strength] = {
    Layer.FLOOR: Strength.BLOCK,
    Layer.BUDGET: Strength.WARN,
    Layer.STATEMENTS: Strength.CERTIFIED,
    Layer.VALUES: Strength.WARN,
    Layer.ACTIONS: Strength.OFF,
    Layer.WRITES: Strength.OFF,
}
_DEFAULT_SETTLE = frozenset({Settle.READ, Settle.PROBE, Settle.STATE, Settle.SIGNAL})
LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl", "ru", "zh", "ja", "ko")  # of which statements can be read
UNSPACED = frozenset({"zh", "ja", "ko"})
"""Languages in which a word may begin and end within a run of letters."""
_PYTHON_ONLY = ("normalizers", "extractors", "redact")


class _Digested:
    """Room for a digest that is made when first asked for, and is no key."""

    __slots__ = ("_digest",)
    _digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GateConfig(_Digested):
    """What the user may set. Strings are accepted where a closed choice is meant; `layers` may be partial.

    `settle`, `cap`, `refill` and `layers` left alone follow `policy` and `model_class`. `probe_roots` None
    means the adapter's default. `languages` are those whose statements are read, all when empty. `extractors` say
    what a tool's call names, by its arguments and its result. With `names` proper names of letters alone are
    looked for too; what has no source is a note.

    Raises:
        ConfigError: an unknown choice, `refill` outside 1..cap-1, a marker under six letters, a shape or exempt
            pattern that could take more than linear time.
    """

    posture: Posture = Posture.GUARD
    policy: Policy = Policy.DEFAULT
    layers: Mapping[Layer, Strength] = field(default_factory=dict)
    settle: Collection[Settle] | None = None
    model_class: str = "default"
    cap: int | None = None
    refill: int | None = None
    requires: tuple[str, ...] = ()
    signals: tuple[SignalRule, ...] = ()
    profiles: Mapping[str, ToolProfile] = field(default_factory=dict)
    surface: tuple[str, ...] = ()
    trusted_servers: tuple[str, ...] = ()
    scratch: tuple[str, ...] = ()
    ignores: tuple[str, ...] = ()
    exempt: tuple[str, ...] = ()
    shapes: tuple[Mapping[str, str], ...] = ()
    min_digits: int = 4
    names: bool = False
    bare_counts: bool = False
    marker: str = "UNVERIFIED"
    max_blocks: int = 3
    home: str = ""
    case_insensitive: bool = False
    strict_shell: bool = False
    probe_roots: tuple[str, ...] | None = None
    novelty_exempt: tuple[str, ...] = ()
    verify_threshold: float = 0.5
    languages: tuple[str, ...] = ()
    audit: str | bool | None = None
    audit_on_error: str = "raise"
    audit_content: bool = False
    normalizers: Mapping[str, Callable[[str], str]] = field(default_factory=dict)
    extractors: Mapping[str, Callable[[Mapping[str, Json], Json], Collection[str]]] = field(default_factory=dict)
    redact: Callable[[str], str] | None = None

    def __post_init__(self) -> None:
        check_kinds(self)
        put = _Setter(self)
        put("posture", _choice(Posture, self.posture, "posture"))
        put("policy", _choice(Policy, self.policy, "policy"))
        put("layers", self._layers())
        put("settle", self._settle())
        cap, refill = self._budget()
        put("cap", cap)
        put("refill", refill)
        for name in _TUPLES:
            put(name, _names(getattr(self, name), name))
        if self.probe_roots is not None:
            put("probe_roots", _names(self.probe_roots, "probe_roots"))
        for language in self.languages:
            if language not in LANGUAGES:
                raise ConfigError.unknown_value("languages", language, LANGUAGES)
        self._check_rest()

    def _layers(self) -> dict[Layer, Strength]:
        resolved = dict(_DEFAULT_LAYERS)
        if self.policy is Policy.STRICT or self.model_class == "diverger":
            resolved[Layer.BUDGET] = Strength.BLOCK
        for name, strength in self.layers.items():
            layer = _choice(Layer, name, "layers", allowed=[d.value for d in DIALS])
            resolved[layer] = _strength(layer, strength)
        return resolved

    def _settle(self) -> frozenset[Settle]:
        if self.settle is None:
            return frozenset({Settle.READ}) if self.policy is Policy.STRICT else _DEFAULT_SETTLE
        return frozenset(_choice(Settle, way, "settle") for way in self.settle)

    def _budget(self) -> tuple[int, int]:
        if self.model_class not in MODEL_CLASSES:
            raise ConfigError.unknown_value("model_class", self.model_class, MODEL_CLASSES)
        cap, refill = MODEL_CLASSES[self.model_class]
        cap, refill = cap if self.cap is None else self.cap, refill if self.refill is None else self.refill
        if not 1 <= refill < cap:
            raise ConfigError(f"refill must be at least 1 and below cap {cap}, got {refill}", key="refill")
        return cap, refill

    def _check_patterns(self) -> None:
        """Shapes and exempt patterns must run in linear time; told when they are set, not when they are used."""
        for row in self.shapes:
            pattern: object = row.get("pattern")
            if not isinstance(pattern, str):
                raise ConfigError(f"shapes takes tables of name and pattern, got {row!r:.60}", key="shapes")
            compiled(pattern)
        for entry in self.exempt:
            if pattern_of(entry):
                compiled(pattern_of(entry), "exempt")

    def _check_rest(self) -> None:
        self._check_patterns()
        if sum(ch.isalpha() for ch in self.marker) < 6:
            raise ConfigError(f"marker needs six letters or more, got {self.marker!r}", key="marker")
        for key in ("max_blocks", "min_digits"):
            if getattr(self, key) < 0:
                raise ConfigError(f"{key} must not be negative, got {getattr(self, key)}", key=key)
        if not 0 <= self.verify_threshold <= 1:
            raise ConfigError(f"verify_threshold must lie in 0..1, got {self.verify_threshold}", key="verify_threshold")
        if self.audit_on_error not in ("raise", "degrade"):
            raise ConfigError(
                f"audit_on_error must be 'raise' or 'degrade', got {self.audit_on_error!r}",
                key="audit_on_error",
            )

    @property
    def strict(self) -> bool:
        """True under `policy="strict"`."""
        return self.policy is Policy.STRICT

    @property
    def strict_grounding(self) -> bool:
        """True when assertions too need a look later than the last change (model class `skipper`)."""
        return self.model_class == "skipper"

    def settles(self, way: Settle) -> bool:
        """True when debts may be settled this way."""
        return self.settle is not None and way in self.settle

    @property
    def admits(self) -> bool:
        """True when calls are asked about before they run: actions, or what tools of memory would store (spec 40)."""
        return self.layers[Layer.ACTIONS] is not Strength.OFF or self.layers[Layer.WRITES] is not Strength.OFF

    @property
    def digest(self) -> str:
        """The digest of what the user set; versions and catalogs are not part of it (spec 70)."""
        try:
            return self._digest
        except AttributeError:
            object.__setattr__(self, "_digest", digest(canonical(self.to_dict())))
            return self._digest

    def to_dict(self) -> dict[str, Json]:
        """Every key as JSON, Python-only keys left out."""
        return {name: _plain(getattr(self, name)) for name in _keys()}


def _keys() -> list[str]:
    """The keys that JSON and TOML know."""
    return [f.name for f in fields(GateConfig) if f.name not in _PYTHON_ONLY]


class _Setter:
    """Writes a field of a frozen instance while it is being built."""

    def __init__(self, target: GateConfig) -> None:
        self._target = target

    def __call__(self, name: str, value: object) -> None:
        object.__setattr__(self._target, name, value)


_TUPLES = (
    "requires",
    "surface",
    "trusted_servers",
    "scratch",
    "ignores",
    "exempt",
    "novelty_exempt",
    "languages",
)


def _plain(value: object) -> Json:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(str(item) for item in value)
    if isinstance(value, tuple | list):
        return [_plain(item) for item in value]
    if isinstance(value, ToolProfile | SignalRule):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _names(value: object, key: str) -> tuple[str, ...]:
    items = list(value) if isinstance(value, Collection) and not isinstance(value, str | Mapping) else [None]
    if not all(isinstance(item, str) or hasattr(item, "__fspath__") for item in items):
        raise ConfigError(f"{key} takes a list of strings, got {value!r:.60}", key=key)
    return tuple(str(item) for item in items)


Choice = TypeVar("Choice", bound=StrEnum)


def _choice(kind: type[Choice], value: object, key: str, *, allowed: Sequence[str] = ()) -> Choice:
    names = list(allowed) or [member.value for member in kind]
    if str(value) not in names:
        raise ConfigError.unknown_value(key, str(value), names)
    return kind(str(value))


def _strength(layer: Layer, value: object) -> Strength:
    if value == "enforce":
        return Strength.BLOCK
    strength = _choice(Strength, value, f"layers.{layer.value}")
    if strength is Strength.CERTIFIED and layer is not Layer.STATEMENTS:
        raise ConfigError(f"layers.{layer.value}: 'certified' is for statements alone", key=layer.value)
    return strength


_FLAT_LAYERS = {**{layer.value: layer.value for layer in DIALS}, "state_writes": Layer.WRITES.value}


def parse_config(data: Mapping[str, Json]) -> GateConfig:
    """A configuration from TOML or JSON. Layers may stand flat (`"values": "enforce"`).

    Raises:
        ConfigError: an unknown key, with the nearest valid name, or a wrong value.
    """
    known = _keys()
    given: dict[str, object] = {}
    layers: dict[str, Json] = {}
    for key, value in data.items():
        if key in _FLAT_LAYERS:
            layers[_FLAT_LAYERS[key]] = value
        elif key == "layers":
            layers.update(_object(value, key))
        elif key in known:
            given[key] = _PARSERS[key](value) if key in _PARSERS else value
        else:
            raise ConfigError.unknown_key(key, [*known, *_FLAT_LAYERS], where="configuration key")
    return GateConfig(**{**given, "layers": layers})  # type: ignore[arg-type]  # checked in __post_init__


def _object(value: Json, key: str) -> Mapping[str, Json]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{key} takes a table, got {value!r:.60}", key=key)
    return value


def _profiles(value: Json) -> dict[str, ToolProfile]:
    table = _object(value, "profiles")
    return {name: parse_profile(name, _object(row, f"profiles.{name}")) for name, row in table.items()}


def _objects(value: Json, key: str) -> list[Mapping[str, Json]]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ConfigError(f"{key} takes a list of tables, got {value!r:.60}", key=key)
    return [_object(row, key) for row in value]


def _signals(value: Json) -> tuple[SignalRule, ...]:
    return tuple(parse_signal(row) for row in _objects(value, "signals"))


_PARSERS: dict[str, Callable[[Json], object]] = {
    "profiles": _profiles,
    "signals": _signals,
    "shapes": lambda value: tuple(_objects(value, "shapes")),
}
