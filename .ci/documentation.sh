#!/usr/bin/env bash
# Makes one static site of the handbook and the documentation of the libraries:
#   .ci/documentation.sh [DIR]
# writes DIR/index.html (default: .build/site), to be opened in a browser or copied to any path of a web server.
# Warnings of docc are errors. An existing DIR is replaced if it has such a site.
set -euo pipefail

site=$(realpath --canonicalize-missing "${1:-$(dirname "$0")/../.build/site}")
cd "$(dirname "$0")/.."
modules=.build/debug/Modules
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

mkdir "$work/pages"
[ -n "${IS_BUILT:-}" ] || swift build --quiet
target=$(swiftc -print-target-info | sed -n 's/^ *"triple": "\(.*\)",/\1/p' | head -n 1)
for catalog in Sources/*/*.docc; do
  module=$(basename "$catalog" .docc)
  mkdir "$work/$module"
  # A command and a folder of modules have no public names.
  if [ "$module" != ingest ] && [ "$module" != Pipeline ]; then
    swift symbolgraph-extract -module-name "$module" -target "$target" -I "$modules" \
      -I Sources/CSQLite -I Sources/CLinux -I Sources/CZlib -minimum-access-level public \
      -emit-extension-block-symbols -output-dir "$work/$module"
  fi
  docc convert "$catalog" --additional-symbol-graph-dir "$work/$module" \
    --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
    --output-dir "$work/pages/$module" --warnings-as-errors
done
python3 Tests/System Documentation.site "$work/pages" "$site"
