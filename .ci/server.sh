# For .ci/smoke and .ci/python-client: starts the built server in a process group of its own and ends that group.
# Sets SITE, DATA_DIR and SERVER (the id of `npm start`, and of its group).
readonly WORK="$(mktemp -d)"
export DATA_DIR="$WORK/data" HOST=127.0.0.1 RATE_LIMITS=off
SERVER=''

clean_up() {
  [[ -n $SERVER ]] && kill -KILL -- "-$SERVER" 2>/dev/null
  rm -rf "$WORK"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

fail() {
  echo "$1" >&2
  [[ -f $WORK/server.log ]] && tail -n 40 "$WORK/server.log" >&2
  exit 1
}

# Below the ports that connections are given: tests that run beside leave it free while the server is restarted.
PORT=$(node -e '
  const server = require("net").createServer();
  let port = 20_000 + ((process.pid * 97) % 12_000);
  server.on("error", () => server.listen(++port, "127.0.0.1")).on("listening", () => {
    console.log(port);
    server.close();
  });
  server.listen(port, "127.0.0.1");
')
export PORT
SITE="http://127.0.0.1:$PORT"

start_server() {
  setsid npm start >>"$WORK/server.log" 2>&1 &
  SERVER=$!
  local limit=$((SECONDS + 60))
  until curl -fsS --max-time 2 -o /dev/null "$SITE/health/ready" 2>/dev/null; do
    kill -0 "$SERVER" 2>/dev/null || fail 'The server ended before it was ready.'
    ((SECONDS < limit)) || fail 'The server was not ready within 60 s.'
    sleep 0.2
  done
}

# stop_server group|leader: SIGTERM to the whole group, as a terminal does, or to npm alone, as a supervisor does.
stop_server() {
  local target=$SERVER limit=$((SECONDS + 25))
  [[ $1 == group ]] && target="-$SERVER"
  kill -TERM -- "$target" || fail 'The server was gone before it was told to stop.'
  while kill -0 -- "-$SERVER" 2>/dev/null; do
    ((SECONDS < limit)) || fail 'The process group did not end within 25 s of SIGTERM.'
    sleep 0.1
  done
  wait "$SERVER" 2>/dev/null
  SERVER=''
}
