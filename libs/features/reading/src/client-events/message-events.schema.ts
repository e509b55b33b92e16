import { TopicLinksSchema } from '#messages';
import { EmojiTypeSchema } from '#pictures/model';
import {
  exact,
  type EventSchemas,
  integer,
  list,
  map,
  nullable,
  object,
  oneOf,
  optional,
  partial,
  text,
  truth,
  type WireEvent,
  words,
} from '#wire';
import { FlagSchema, SentMessageSchema } from '../wire/wire-message.js';

/** A move has `propagate_mode`, `orig_subject`, and the new channel or topic; an edit has all fields of the content. */
const UPDATED = {
  user_id: nullable(integer),
  rendering_only: truth,
  message_id: integer,
  message_ids: list(integer),
  flags: list(FlagSchema),
  edit_timestamp: integer,
  stream_name: optional(text),
  stream_id: optional(integer),
  orig_content: optional(text),
  orig_rendered_content: optional(text),
  content: optional(text),
  rendered_content: optional(text),
  is_me_message: optional(truth),
  orig_subject: optional(text),
  subject: optional(text),
  topic_links: optional(TopicLinksSchema),
  new_stream_id: optional(integer),
  propagate_mode: optional(words('change_one', 'change_later', 'change_all')),
};

/** One of both, by the capability `bulk_message_deletion`. */
const DELETED = partial({ message_id: integer, message_ids: list(integer) });

const REACTION = {
  message_id: integer,
  emoji_name: text,
  emoji_code: text,
  reaction_type: EmojiTypeSchema,
  user_id: integer,
  user: object({ user_id: integer, email: text, full_name: text }),
};

/** Where a message is that became unread. */
const UnreadPlaceSchema = oneOf(
  object({ type: exact('private'), mentioned: optional(truth), user_ids: list(integer) }),
  object({
    type: exact('stream'),
    mentioned: optional(truth),
    stream_id: integer,
    topic: text,
    unmuted_stream_msg: truth,
  }),
);

const FLAGGED = { flag: FlagSchema, messages: list(integer), all: truth };

/** Client events about messages (events.md §2). */
export const messageEventSchemas = {
  message: {
    message: SentMessageSchema,
    flags: list(FlagSchema),
    ...partial({ local_message_id: text, local_id: text }),
  },
  update_message: UPDATED,
  delete_message: [
    { ...DELETED, message_type: exact('private') },
    { ...DELETED, message_type: exact('stream'), stream_id: integer, topic: text },
  ],
  'update_message_flags/add': { operation: exact('add'), ...FLAGGED },
  'update_message_flags/remove': {
    operation: exact('remove'),
    ...FLAGGED,
    message_details: optional(map(UnreadPlaceSchema)),
  },
  'reaction/add': REACTION,
  'reaction/remove': REACTION,
  submessage: { msg_type: text, content: text, message_id: integer, sender_id: integer, submessage_id: integer },
} satisfies EventSchemas;

export type WireMessageEvent = WireEvent<typeof messageEventSchemas>;
