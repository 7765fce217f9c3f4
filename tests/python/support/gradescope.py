"""Gradescope's results.json, as a JSON schema: its documented keys and values, and no others."""
VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "simple_format", "html", "md", "ansi"]}
RESULTS = {
    "type": "object", "additionalProperties": False, "required": ["tests"],
    "properties": {
        "score": {"type": "number"}, "execution_time": {"type": "number"}, "output": {"type": "string"},
        "output_format": FORMAT, "test_output_format": FORMAT, "test_name_format": FORMAT,
        "visibility": VISIBILITY, "stdout_visibility": VISIBILITY, "extra_data": {"type": "object"},
        "leaderboard": {"type": "array", "items": {"type": "object", "required": ["name", "value"]}},
        "tests": {"type": "array", "items": {
            "type": "object", "additionalProperties": False,
            "properties": {
                "score": {"type": "number"}, "max_score": {"type": "number"}, "status": {"enum": ["passed", "failed"]},
                "name": {"type": "string"}, "name_format": FORMAT, "number": {"type": "string"},
                "output": {"type": "string"}, "output_format": FORMAT,
                "tags": {"type": "array", "items": {"type": "string"}}, "visibility": VISIBILITY, "extra_data": {}}}}}}
