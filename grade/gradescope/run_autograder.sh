#!/usr/bin/env bash
# Gradescope runs this for each submission, and reads results/results.json. AUTOGRADER is for trying it elsewhere.
set -euo pipefail
at=${AUTOGRADER:-/autograder}
cd "$at/source/umlab"
export UMLAB_KEY=$PWD/.umlab/key # it has to be there
exec .venv/bin/python3 grade/gradescope.py run --lab "$(cat "$at/source/lab")" --submission "$at/submission" \
    --results "$at/results/results.json" --metadata "$at/submission_metadata.json"
