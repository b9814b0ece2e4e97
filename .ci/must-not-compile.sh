#!/usr/bin/env bash
# Compiles the snippets in .ci/must-not-compile against the built library, as another package would.
# Each is one misuse, and must fail with the error that its first line names; a first line "// compiles"
# is of one that must not fail.
set -euo pipefail
cd "$(dirname "$0")/.."
swift build --target SQLiteSwiftly
modules=$(swift build --show-bin-path)/Modules
failures=0

fail() {
  printf '%s: %s\n' "$snippet" "$1"
  [ -z "$errors" ] || sed 's/^/  /' <<<"$errors"
  failures=$((failures + 1))
}

for snippet in .ci/must-not-compile/*.swift; do
  read -r expected <"$snippet"
  # Up to SIL, since what a type check alone lets pass are uses after a consume, overlapping accesses,
  # escapes and data races.
  errors=$(swiftc -emit-sil -o /dev/null -swift-version 6 -diagnostic-style=llvm \
    -I "$modules" -I Sources/CSQLite "$snippet" 2>&1 | grep 'error:' || true)
  case $expected in
    "// compiles")
      [ -z "$errors" ] || fail "must compile, so that it shows why the others do not:" ;;
    "// error: "*)
      if [ -z "$errors" ]; then
        fail "compiles, and must not: a misuse has become possible"
      elif grep -qvF "${expected#// error: }" <<<"$errors"; then
        fail "fails for another reason than \"${expected#// error: }\":"
      fi ;;
    *) fail 'must begin with "// error: " and the text of the error, or with "// compiles"' ;;
  esac
done
[ "$failures" -eq 0 ] || exit 1
echo "$(ls .ci/must-not-compile/*.swift | wc -l) snippets do what they must"
