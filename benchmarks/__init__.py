"""What the gate costs, beside its peers in the same process (spec 80).

    uv run --group benchmarks python -m benchmarks              every row; --only NAME, --quick, --json, --markdown
    uv run python -m benchmarks.false_blocks FILE...            how many honest answers would be sent back

Two numbers are compared only when both were taken in this run, turn by turn. Ratios are of minima: what else runs on
the machine can only add time. Without the group `benchmarks` the peers are missing and their rows have no ratio.
"""
