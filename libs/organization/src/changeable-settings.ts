import { Type, type Static } from 'typebox';
import { exactly } from '#event-store';

const Seconds = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]);

/** Settings of the organization that can be changed, by their names on the wire (register.md §3). null is no limit. */
export const ChangeableSettings = exactly({
  allow_message_editing: Type.Optional(Type.Boolean()),
  message_content_edit_limit_seconds: Type.Optional(Seconds),
  message_content_delete_limit_seconds: Type.Optional(Seconds),
  move_messages_within_stream_limit_seconds: Type.Optional(Seconds),
  move_messages_between_streams_limit_seconds: Type.Optional(Seconds),
  message_edit_history_visibility_policy: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Literal('moves'), Type.Literal('none')]),
  ),
  enable_read_receipts: Type.Optional(Type.Boolean()),
  /** Where reports of messages go; -1 is nowhere. */
  moderation_request_channel_id: Type.Optional(Type.Integer({ minimum: -1 })),
  topics_policy: Type.Optional(Type.Union([Type.Literal('allow_empty_topic'), Type.Literal('disable_empty_topic')])),
});

export type SettingsChange = Static<typeof ChangeableSettings>;
