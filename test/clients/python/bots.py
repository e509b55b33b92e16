"""Bots of the `zulip_bots` package as it is published, run by its own runner against a running server.

    python bots.py path/to/owner.zuliprc

Prints `Restart the server.` once, and goes on when it reads a line: the bots then have to count on. Exits with 0 when all
went well, else with 1, after printing what did not. Each run makes bots and a channel of its own.
"""

import os
import secrets
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from typing import Any, Callable, Dict, List, Optional

import zulip

PATIENCE_S = 120
failures: List[str] = []


def check(what: str, condition: bool, detail: Any = "") -> None:
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    if not condition:
        failures.append(f"{what}: {detail!r}")


def wait_for(what: str, look: Callable[[], Optional[Any]]) -> Any:
    """What `look` returns once it returns something true."""
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        found = look()
        if found:
            check(what, True)
            return found
        time.sleep(0.1)
    check(what, False, "it did not happen in time")
    raise TimeoutError(what)


class Bot:
    """A bot of the organization, and the runner that answers for it in a process of its own."""

    def __init__(self, owner: zulip.Client, kind: str, folder: str) -> None:
        self.owner = owner
        self.name = f"{kind} {secrets.token_hex(3)}"
        short_name = f"{kind.replace('_', '-')}-{secrets.token_hex(3)}"
        made = owner.call_endpoint(url="bots", request={"full_name": self.name, "short_name": short_name})
        check(f"the bot {kind} is made", made["result"] == "success", made)
        self.user_id = made["user_id"]
        email = owner.get_user_by_id(self.user_id)["user"]["email"]
        self.site = owner.base_url.rsplit("/api", 1)[0]
        self.zuliprc = os.path.join(folder, f"{kind}.zuliprc")
        with open(self.zuliprc, "w") as file:
            file.write(f"[api]\nemail={email}\nkey={made['api_key']}\nsite={self.site}\n")
        self.output: List[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "zulip_bots.run", kind, "--config-file", self.zuliprc],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        threading.Thread(target=lambda: self.output.extend(self.process.stdout or []), daemon=True).start()
        wait_for(f"{kind} runs", lambda: any("starting message handling" in line for line in self.output))
        # The runner says so just before it registers its queue.
        time.sleep(5)

    def answers(self, narrow: List[Dict[str, Any]]) -> List[str]:
        request = {"anchor": "newest", "num_before": 50, "num_after": 0, "apply_markdown": False, "narrow": narrow}
        found = self.owner.get_messages(request)
        return [one["content"] for one in found.get("messages", []) if one["sender_id"] == self.user_id]

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


class Incrementor(Bot):
    """Answers the first mention with a number, which it edits at each further one; keeps both in its storage."""

    def __init__(self, owner: zulip.Client, folder: str) -> None:
        super().__init__(owner, "incrementor", folder)
        self.channel = f"counting {secrets.token_hex(4)}"
        owner.add_subscriptions([{"name": self.channel}], principals=[owner.get_profile()["user_id"], self.user_id])

    def count(self, expected: str) -> None:
        message = {"type": "stream", "to": self.channel, "topic": "count", "content": f"@**{self.name}** go"}
        sent = self.owner.send_message(message)
        check("the counting bot is mentioned", sent["result"] == "success", sent)
        narrow = [{"operator": "channel", "operand": self.channel}]
        wait_for(f"it counts to {expected} in one message", lambda: self.answers(narrow) == [expected])
        # It stores the number after it has answered.
        client = zulip.Client(config_file=self.zuliprc)
        wait_for("the number is in its storage", lambda: client.get_storage()["storage"].get("number") == expected)


class VirtualFiles(Bot):
    """A file system in its storage, which is asked in direct messages."""

    def __init__(self, owner: zulip.Client, folder: str) -> None:
        super().__init__(owner, "virtual_fs", folder)

    def ask(self, command: str, expected: str) -> None:
        narrow = [{"operator": "dm", "operand": [self.user_id]}]
        before = len(self.answers(narrow))
        sent = self.owner.send_message({"type": "private", "to": [self.user_id], "content": command})
        check(f"the file bot is asked to {command!r}", sent["result"] == "success", sent)
        answer = wait_for("it answers", lambda: self.answers(narrow)[before:])[0]
        check(f"with {expected!r}", expected in answer, answer)


def run(zuliprc: str, bots: List[Bot], folder: str) -> None:
    owner = zulip.Client(config_file=zuliprc)
    counting = Incrementor(owner, folder)
    bots.append(counting)
    files = VirtualFiles(owner, folder)
    bots.append(files)
    counting.count("1")
    counting.count("2")
    files.ask("mkdir plans", "directory created")
    files.ask("write plans/today to rest", "file written")

    print("Restart the server.", flush=True)
    sys.stdin.readline()

    counting.count("3")
    files.ask("read plans/today", "to rest")


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 1
    bots: List[Bot] = []
    with tempfile.TemporaryDirectory() as folder:
        try:
            run(sys.argv[1], bots, folder)
        except Exception:  # Any error that stops the bots is a failure of the run.
            failures.append(traceback.format_exc())
        for bot in bots:
            bot.end()
    if failures:
        for bot in bots:
            print("".join(bot.output), file=sys.stderr)
    for failure in failures:
        print(f"\nFAILED: {failure}", file=sys.stderr)
    print("All is well." if not failures else f"{len(failures)} failed.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
