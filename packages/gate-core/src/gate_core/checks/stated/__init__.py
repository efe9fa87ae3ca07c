"""What an answer states, held against what was observed: one file for each way in which the two differ (spec 20,
"Statements"). `checks/statements.py` asks them all."""
