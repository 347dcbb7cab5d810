#!/usr/bin/env bash
# Checks that .ci/run and .ci/nightly share. Each sources this file. The last line counts: tests one by one, and each
# further check as one.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Errors only: npm's remarks on the machine's own settings are not about this project.
export npm_config_loglevel=error

passed=0
failed=0

# check NAME COMMAND...: runs the command, shows what it prints, counts how it ended.
check() {
  local name=$1 started=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  if "$@"; then
    passed=$((passed + 1))
    printf -- '-- passed: %s (%s s)\n' "$name" $((SECONDS - started))
  else
    failed=$((failed + 1))
    printf -- '-- FAILED: %s (%s s)\n' "$name" $((SECONDS - started)) | tee -a "$scratch/failures"
    return 1
  fi
}

# quietly COMMAND...: shows the output of the command only when it fails.
quietly() {
  local log
  log=$(mktemp "$scratch/output.XXXXXX")
  "$@" >"$log" 2>&1 || {
    tail -n 40 "$log"
    return 1
  }
}

# beside NAME FUNCTION: the function's checks in a shell of its own, beside what follows, until "together".
beside() {
  (
    passed=0 failed=0
    "$2"
    echo "$passed $failed" >"$scratch/$1.counts"
  ) >"$scratch/$1.log" 2>&1 &
}

# together NAME...: waits for them, shows what each printed, and adds what each counted. One without counts has died.
together() {
  local name counts
  wait
  for name in "$@"; do
    cat "$scratch/$name.log"
    counts=$(cat "$scratch/$name.counts" 2>/dev/null) || counts='0 1'
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
  done
}

# Runs npm test, and leaves the results of vitest, counted one by one, in a file beside. `SCENARIOS=all` adds the long stories.
all_tests() {
  npm test -- --reporter=default --reporter=json --outputFile.json="$scratch/vitest.json"
}

# Adds what vitest counted. A run without a report, or without a passed test, has proved nothing.
count_tests() {
  local counts
  [ -f "$scratch/vitest.json" ] || return 1
  counts=$(node -e '
    const report = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    const notRun = report.numTotalTests - report.numPassedTests - report.numFailedTests;
    console.log(report.numPassedTests, report.numFailedTests + notRun);
    for (const { name, message, assertionResults } of report.testResults) {
      const failed = assertionResults.filter(({ status }) => status === "failed");
      for (const { fullName, failureMessages } of failed) console.error(`${name}: ${fullName}\n${failureMessages.join("\n")}\n`);
      if (message !== "" && failed.length === 0) console.error(`${name}: ${message}\n`);
    }
  ' "$scratch/vitest.json" 2>>"$scratch/failures") || return 1
  read -r tests_passed tests_failed <<<"$counts"
  passed=$((passed + tests_passed))
  failed=$((failed + tests_failed))
  echo "$tests_passed tests passed, $tests_failed failed or did not run"
  [ "$tests_passed" -gt 0 ]
}

# main_job [FLAG...]: the system on this machine until the first records are done.
main_job() {
  DATA_DIR="$scratch/data" npm start -- --once "$@"
}

# with_npm MAJOR: a copy of the tree, installed by that npm; Node 24 must be in it, and its scripts must run.
# npm 12 does not run on Node 20, so it is given the Node 24 of this tree.
# Every step says "or stop", since bash forgets "set -e" in a function whose result is asked for.
with_npm() {
  local major=$1 tree="$scratch/tree-$1" tool="$scratch/npm-$1"
  local npm_cli="$tool/node_modules/npm/bin/npm-cli.js"
  mkdir -p "$tree" "$tool" && git archive HEAD | tar -x -C "$tree" || return 1
  quietly npm install --prefix "$tool" "npm@$major" || return 1
  (
    cd "$tree"
    [ "$major" -lt 12 ] || PATH="$root/node_modules/.bin:$PATH"
    echo "npm $(node "$npm_cli" --version 2>/dev/null) on Node $(node --version)"
    quietly node "$npm_cli" ci || exit 1
    installed=$(node_modules/.bin/node --version) || exit 1
    echo "node_modules/.bin/node is $installed"
    case $installed in v24.*) ;; *) exit 1 ;; esac
    quietly node "$npm_cli" run check:tree || exit 1
    echo "npm run check:tree: passed"
    DATA_DIR="$tree/.data" quietly node "$npm_cli" start -- --once --fresh || exit 1
    echo "npm start -- --once --fresh: passed"
  )
}

# packed MAJOR: the package as somebody installs it elsewhere, on that Node, and the commands as they would be scripted.
packed() {
  local node="$scratch/node-$1" use="$scratch/use-$1"
  [ -f "$scratch"/*.tgz ] || quietly npm pack --pack-destination "$scratch" || return 1
  mkdir -p "$node" "$use" || return 1
  echo '{"private":true,"allowScripts":{"node":true}}' >"$node/package.json"
  echo '{"private":true}' >"$use/package.json"
  quietly npm install --prefix "$node" "node@$1" || return 1
  (
    cd "$use" || exit 1
    PATH="$node/node_modules/.bin:$PATH"
    echo "on Node $(node --version)"
    quietly npm install "$scratch"/*.tgz || exit 1
    du -sh node_modules
    [ "$(npx crm-enrichment --version)" = "$(node -p 'require("crm-enrichment-sync/package.json").version')" ] || exit 1
    npx crm-enrichment setup >/dev/null || exit 1
    npx crm-enrichment doctor >doctor.log 2>errors || exit 1
    npx crm-enrichment spend --json 2>>errors | node -e 'JSON.parse(require("node:fs").readFileSync(0))' || exit 1
    npx crm-enrichment budgets --csv 2>>errors | head -n 1 | grep -q '^budget,limit,' || exit 1
    # Each command names on standard error what it looked at, and says nothing else there.
    ! grep -v '^STAND-INS on this machine ' errors || exit 1
  )
}

# The workflows: zizmor looks for what is unsafe, actionlint for what GitHub would refuse. Both are thrown away.
workflows() {
  local tools="$scratch/workflow-tools"
  quietly python3 -m venv "$tools" || return 1
  quietly "$tools/bin/pip" install --disable-pip-version-check zizmor==1.32.0 || return 1
  quietly "$tools/bin/zizmor" --offline --no-progress .github || return 1
  if command -v go >/dev/null; then
    GOBIN="$tools/bin" quietly go install github.com/rhysd/actionlint/cmd/actionlint@v1.7.12 || return 1
    quietly "$tools/bin/actionlint" || return 1
  else
    echo 'No Go here: actionlint is not run.'
  fi
}

# The contract of the store against AWS's own engine. The package carries it; its licence forbids to pass it on, so
# it is fetched for this run and thrown away.
dynamodb_local() {
  local folder="$scratch/dynamodb-local" port=18321 waited=0 result=0
  mkdir -p "$folder" || return 1
  (cd "$folder" && quietly npm pack amplify-dynamodb-simulator@2.9.30 && tar xzf ./*.tgz) || return 1
  (
    cd "$folder/package/emulator" || exit 1
    # Its native parts lie beside it.
    export LD_LIBRARY_PATH=DynamoDBLocal_lib
    exec java -jar DynamoDBLocal.jar -inMemory -sharedDb -disableTelemetry -port "$port" >"$folder/server.log" 2>&1
  ) &
  local server=$!
  until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    sleep 1
    waited=$((waited + 1))
    [ "$waited" -lt 60 ] || {
      kill "$server"
      return 1
    }
  done
  DYNAMODB_ENDPOINT="http://127.0.0.1:$port" npx vitest run test/contract/store -t 'at the endpoint' |
    tee "$folder/tests.log" || result=1
  # Without a test of that name, vitest skips all and succeeds.
  grep -q 'Tests .* passed' "$folder/tests.log" || result=1
  kill "$server"
  wait "$server" 2>/dev/null || true
  return "$result"
}

# counted SCRIPT [FLAG...]: a script whose last line says how many facts passed and failed; they are counted like tests.
counted() {
  local result=0 facts_passed=0 facts_failed=0 log
  log=$(mktemp "$scratch/counted.XXXXXX")
  npm run --silent "$1" -- "${@:2}" | tee "$log" || result=1
  read -r facts_passed facts_failed \
    < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$log" | tail -n 1) || result=1
  passed=$((passed + facts_passed))
  failed=$((failed + facts_failed))
  return "$result"
}

# The summary: each failure once more, where it is looked for first.
report() {
  [ ! -s "$scratch/failures" ] || { printf '\n== what failed\n' && cat "$scratch/failures"; }
  printf '\n%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
}
