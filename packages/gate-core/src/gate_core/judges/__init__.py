"""Ready second opinions by a model: `SamplingVerifier` over a judge, and judges for two clients (spec 10).

```python
from gate_core.judges import SamplingVerifier, anthropic_judge

gate = Gate(verifier=SamplingVerifier(anthropic_judge(model="..."), k=5))
verdict = await gate.aboundary_check(attempt)     # or boundary_check, which waits
```
An edge: it asks a network, so nothing in the core imports it. The clients come with `gate-core[llm]`.
"""

from __future__ import annotations

from gate_core.judges.clients import anthropic_judge, openai_judge
from gate_core.judges.prompt import says_yes
from gate_core.judges.sampling import Judge, OnError, SamplingVerifier

__all__ = ["Judge", "OnError", "SamplingVerifier", "anthropic_judge", "openai_judge", "says_yes"]
