"""Answers for each line of standard input, a JSON document, whether the JSON Schema takes it."""
import json
import sys

import jsonschema

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
for line in sys.stdin:
    print("good" if validator.is_valid(json.loads(line)) else "bad")
