#!/usr/bin/env bash
# Subjects of commits have at most 72 characters: longer ones are cut in lists, and the why stands in the body.
# Looks at the commits since the rule was made: `make lint`.
#
# Without git, or in a clone too shallow to hold that commit, there is nothing to look at, and it says so.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
since=c4e865f72f86
most=72
export LC_ALL=C.UTF-8 # a character is one, however many bytes it takes

if ! git merge-base --is-ancestor "$since" HEAD 2>/dev/null; then
    echo "subjects: not looked at: the history does not reach back to $since"
    exit 0
fi
count=0 long=0
while read -r hash subject; do
    count=$((count + 1))
    if [ ${#subject} -gt $most ]; then
        echo "subjects: $hash has ${#subject} characters, not at most $most: $subject" >&2
        long=$((long + 1))
    fi
done < <(git log --no-merges --format='%h %s' "$since..HEAD")
[ $long = 0 ] || exit 1
echo "subjects: $count commits' subjects have at most $most characters"
