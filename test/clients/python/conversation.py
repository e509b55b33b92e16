"""A conversation of two people through the `zulip` package as it is published, against a running server.

    python conversation.py path/to/owner.zuliprc

Exits with 0 when all went well, else with 1, after printing what did not. Each run makes an account and a channel of its own.
"""

import io
import queue
import secrets
import sys
import threading
import traceback
from typing import Any, Callable, Dict, List

import requests
import zulip

PATIENCE_S = 120
failures: List[str] = []


def check(what: str, condition: bool, detail: Any = "") -> None:
    print(("ok      " if condition else "FAILED  ") + what, flush=True)
    if not condition:
        failures.append(f"{what}: {detail!r}")


def succeeded(what: str, answer: Dict[str, Any]) -> Dict[str, Any]:
    check(what, answer.get("result") == "success", answer)
    return answer


class Listener:
    """Takes in every event of a client in a thread of its own."""

    def __init__(self, client: zulip.Client, **options: Any) -> None:
        self.events: "queue.Queue[Dict[str, Any]]" = queue.Queue()
        self.registered = threading.Event()
        register = client.register

        def noticed(*args: Any, **kwargs: Any) -> Dict[str, Any]:
            answer = register(*args, **kwargs)
            self.registered.set()
            return answer

        client.register = noticed  # type: ignore[method-assign]
        self.thread = threading.Thread(
            target=lambda: client.call_on_each_event(self.events.put, **options), daemon=True
        )
        self.thread.start()
        check("the listener is registered", self.registered.wait(PATIENCE_S))

    def expect(self, what: str, matches: Callable[[Dict[str, Any]], bool]) -> Dict[str, Any]:
        """The next event that matches; others before it are passed over."""
        passed: List[Any] = []
        try:
            while True:
                event = self.events.get(timeout=PATIENCE_S)
                if matches(event):
                    check(what, isinstance(event.get("id"), int), event)
                    return event
                passed.append((event["type"], event.get("op")))
        except queue.Empty:
            check(what, False, f"instead came {passed}")
            return {}


def of_type(type_: str, **fields: Any) -> Callable[[Dict[str, Any]], bool]:
    return lambda event: event["type"] == type_ and all(event.get(name) == value for name, value in fields.items())


def second_account(owner: zulip.Client, tag: str) -> zulip.Client:
    email, password = f"petra.{tag}@example.test", secrets.token_urlsafe(16)
    created = succeeded("an owner creates an account", owner.create_user(
        {"email": email, "password": password, "full_name": f"Petra {tag}"}
    ))
    key = succeeded("the account logs in", owner.call_endpoint(
        url="fetch_api_key", method="POST", request={"username": email, "password": password}
    ))
    check("with its own ID", key.get("user_id") == created.get("user_id"), key)
    return zulip.Client(email=email, api_key=key["api_key"], site=owner.base_url.rsplit("/api", 1)[0])


def site_of(client: zulip.Client) -> str:
    """The address without the `/api/` that the package adds to it."""
    return client.base_url.rstrip("/").removesuffix("/api")


def converse(zuliprc: str) -> None:
    tag = secrets.token_hex(4)
    channel = f"python {tag}"
    owner = zulip.Client(config_file=zuliprc)
    check("the server says what it is", owner.get_server_settings()["zulip_feature_level"] >= 277)
    petra = second_account(owner, tag)
    me = succeeded("the owner has a profile", owner.get_profile())
    other = succeeded("so has the other", petra.get_profile())
    members = succeeded("both are members", owner.get_members())["members"]
    check("and listed", {me["user_id"], other["user_id"]} <= {member["user_id"] for member in members})
    by_id = succeeded("a user is found by ID", petra.get_user_by_id(me["user_id"]))
    check("with a name", by_id["user"]["full_name"] == me["full_name"], by_id)

    added = succeeded("a channel is made for both", owner.add_subscriptions(
        [{"name": channel, "description": "Made by a script"}], principals=[me["user_id"], other["user_id"]]
    ))
    check("both are in it", set(added["subscribed"]) == {str(me["user_id"]), str(other["user_id"])}, added)
    stream_id = succeeded("its ID is found", petra.get_stream_id(channel))["stream_id"]
    names = [one["name"] for one in succeeded("it is listed", petra.get_subscriptions())["subscriptions"]]
    check("under its name", channel in names, names)

    listener = Listener(petra, event_types=None)
    sender = Listener(owner, event_types=["message", "update_message_flags"])

    sent = succeeded("a message is sent", owner.send_message(
        {"type": "stream", "to": channel, "topic": "hello", "content": "Hello **there**"}
    ))
    heard = listener.expect("it is heard", of_type("message"))
    check("as it was sent", heard["message"]["id"] == sent["id"] and heard["message"]["content"] == "Hello **there**", heard)
    check("by its sender as well", sender.expect("the sender hears it", of_type("message"))["message"]["id"] == sent["id"])

    reply = succeeded("a direct reply is sent", petra.send_message(
        {"type": "private", "to": [me["user_id"]], "content": "In private"}
    ))
    check("and heard", sender.expect("it arrives", of_type("message"))["message"]["id"] == reply["id"])

    succeeded("the message is edited", owner.update_message({"message_id": sent["id"], "content": "Hello *again*"}))
    update = listener.expect("the edit is heard", of_type("update_message", message_id=sent["id"]))
    check("with its content", update.get("content") == "Hello *again*", update)
    succeeded("the topic is moved", petra.update_message(
        {"message_id": sent["id"], "topic": "greetings", "propagate_mode": "change_all"}
    ))
    move = listener.expect("the move is heard", of_type("update_message", message_id=sent["id"]))
    check("with both topics", (move.get("orig_subject"), move.get("subject")) == ("hello", "greetings"), move)
    history = succeeded("the history is told", petra.get_message_history(sent["id"]))["message_history"]
    check("change by change", [one["content"] for one in history][:2] == ["Hello **there**", "Hello *again*"], history)
    topics = succeeded("topics are listed", petra.get_stream_topics(stream_id))["topics"]
    check("by their new names", [one["name"] for one in topics][0] == "greetings", topics)

    reaction = {"message_id": sent["id"], "emoji_name": "tada"}
    succeeded("a reaction is added", petra.add_reaction(reaction))
    check("and heard", listener.expect("the reaction", of_type("reaction", op="add"))["emoji_code"] == "1f389")
    again = petra.add_reaction(reaction)
    check("only once", again.get("code") == "REACTION_ALREADY_EXISTS", again)
    succeeded("it is removed", petra.remove_reaction(reaction))
    listener.expect("the removal is heard", of_type("reaction", op="remove"))

    flagged = succeeded("it is starred", petra.update_message_flags(
        {"messages": [sent["id"]], "op": "add", "flag": "starred"}
    ))
    check("it alone", flagged["messages"] == [sent["id"]], flagged)
    listener.expect("the star is heard", of_type("update_message_flags", flag="starred", op="add"))
    found = succeeded("messages are fetched", petra.get_messages({
        "anchor": "newest", "num_before": 10, "num_after": 0, "apply_markdown": True,
        "narrow": [{"operator": "channel", "operand": channel}, {"operator": "topic", "operand": "greetings"}],
    }))
    first = found["messages"][0]
    check("rendered and flagged", first["content"] == "<p>Hello <em>again</em></p>" and "starred" in first["flags"], first)
    raw = succeeded("one has its source", petra.get_raw_message(sent["id"]))
    check("as it was written", raw["raw_content"] == "Hello *again*", raw)
    succeeded("a topic is marked as read", petra.mark_topic_as_read(stream_id, "greetings"))

    notes = io.BytesIO(b"Bread\nButter\n")
    notes.name = "notes.txt"
    uploaded = succeeded("a file is uploaded", owner.upload_file(notes))
    shared = owner.send_message({
        "type": "stream", "to": channel, "topic": "files", "content": f"[notes.txt]({uploaded['url']})"
    })
    succeeded("it is shared", shared)
    listener.expect("a message with it is heard", of_type("message"))
    opened = requests.get(
        site_of(petra) + uploaded["url"], auth=(petra.email, petra.api_key), timeout=PATIENCE_S
    )
    check("a reader opens it", (opened.status_code, opened.content) == (200, notes.getvalue()), opened)

    refused = petra.delete_message(sent["id"])
    check("others may not delete it", refused.get("code") == "BAD_REQUEST", refused)
    succeeded("its sender may", owner.delete_message(sent["id"]))
    listener.expect("the deletion is heard", of_type("delete_message"))
    check("it is gone", petra.get_raw_message(sent["id"])["result"] == "error")

    gone = petra.get_events(queue_id="00000000-0000-4000-8000-000000000000", last_event_id=-1)
    check("an unknown queue says so", gone.get("code") == "BAD_EVENT_QUEUE_ID", gone)
    removed = succeeded("one leaves", petra.remove_subscriptions([channel]))
    check("the channel", removed["removed"] == [channel], removed)
    unknown = petra.call_endpoint(url="no/such/thing", method="GET")
    check("what is not there answers in JSON", unknown.get("code") == "BAD_REQUEST", unknown)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 1
    try:
        converse(sys.argv[1])
    except Exception:  # Any error that stops the conversation is a failure of it.
        failures.append(traceback.format_exc())
    for failure in failures:
        print(f"\nFAILED: {failure}", file=sys.stderr)
    print("All is well." if not failures else f"{len(failures)} failed.")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
