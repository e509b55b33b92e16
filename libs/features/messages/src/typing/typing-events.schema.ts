import { exact, type EventSchemas, integer, list, object, oneOf, text } from '#wire';

const person = object({ user_id: integer, email: text });

const TYPING = [
  { message_type: exact('direct'), sender: person, recipients: list(person) },
  { message_type: exact('stream'), sender: person, stream_id: integer, topic: text },
] as const;

const EDITING = {
  sender_id: integer,
  message_id: integer,
  recipient: oneOf(
    object({ type: exact('channel'), channel_id: integer, topic: text }),
    object({ type: exact('direct'), user_ids: list(integer) }),
  ),
};

/** Client events about people who are writing (events.md §2). */
export const typingEventSchemas = {
  'typing/start': TYPING,
  'typing/stop': TYPING,
  'typing_edit_message/start': EDITING,
  'typing_edit_message/stop': EDITING,
} satisfies EventSchemas;
