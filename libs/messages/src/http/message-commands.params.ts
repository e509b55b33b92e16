import { Type } from 'typebox';
import { boolean, integer, jsonOrText, oneOf, Param, text } from '#http';
import { DIRECT_RECIPIENTS_MAX } from '../message-settings.js';

/** Of a client's queue and of what it calls a message: they come back to it in an event, and stay in the log. */
const ECHO_LENGTH_MAX = 100;
/** As many e-mail addresses as there may be recipients fit. */
const RECIPIENTS_LENGTH_MAX = 64 * 1024;
/** Longer than the name of any emoji; what is longer is unknown. */
const EMOJI_LENGTH_MAX = 100;

const Recipient = Type.Union([Type.Integer(), Type.String()]);

export class SendMessageParams {
  @Param(oneOf('direct', 'channel', 'stream', 'private'))
  type!: 'direct' | 'channel' | 'stream' | 'private';

  @Param(
    jsonOrText(Type.Union([Recipient, Type.Array(Recipient, { maxItems: DIRECT_RECIPIENTS_MAX + 1 })]), {
      lengthMax: RECIPIENTS_LENGTH_MAX,
    }),
    { description: 'A channel by name or ID, or users by e-mail addresses or IDs.' },
  )
  to!: string | number | (string | number)[];

  @Param(text(), { description: 'Markdown. What is longer than max_message_length is cut off.' })
  content!: string;

  @Param(text(), { aliases: ['subject'], optional: true, description: 'Of a channel message.' })
  topic?: string;

  @Param(text({ max: ECHO_LENGTH_MAX }), { optional: true, description: 'Queue of a client that does local echo.' })
  queue_id?: string;

  @Param(text({ max: ECHO_LENGTH_MAX }), { optional: true, description: 'Comes back in the event in that queue.' })
  local_id?: string;

  @Param(boolean(), { optional: true })
  read_by_sender?: boolean;
}

export class ChangeMessageParams {
  @Param(text(), { optional: true })
  content?: string;

  @Param(text(), { optional: true, description: 'SHA-256 of the content as the client knows it, hexadecimal.' })
  prev_content_sha256?: string;

  @Param(text(), { aliases: ['subject'], optional: true })
  topic?: string;

  @Param(integer(), { optional: true, description: 'Channel to move to.' })
  stream_id?: number;

  @Param(oneOf('change_one', 'change_later', 'change_all'), { default: 'change_one' })
  propagate_mode!: 'change_one' | 'change_later' | 'change_all';

  @Param(boolean(), { default: false })
  send_notification_to_old_thread!: boolean;

  @Param(boolean(), { default: true })
  send_notification_to_new_thread!: boolean;
}

const REACTION_TYPES = ['unicode_emoji', 'realm_emoji', 'service_extra_emoji', 'zulip_extra_emoji'] as const;

export class RemoveReactionParams {
  @Param(text({ max: EMOJI_LENGTH_MAX }), { optional: true })
  emoji_name?: string;

  @Param(text({ max: EMOJI_LENGTH_MAX }), { optional: true })
  emoji_code?: string;

  @Param(oneOf(...REACTION_TYPES), { optional: true })
  reaction_type?: (typeof REACTION_TYPES)[number];
}

export class AddReactionParams extends RemoveReactionParams {
  @Param(text({ max: EMOJI_LENGTH_MAX }))
  override emoji_name!: string;
}
