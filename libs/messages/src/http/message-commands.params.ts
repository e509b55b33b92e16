import { Type } from 'typebox';
import { boolean, integer, jsonOrText, Param, ShapeOrText, text } from '#http';
import { IsIn, MaxCharacters } from '#validation';
import { DIRECT_RECIPIENTS_MAX } from '../model/message-settings.js';

/** Limit of the client's queue ID and local message ID: they are returned in an event, and stay in the log. */
const ECHO_LENGTH_MAX = 100;
/** Fits as many e-mail addresses as there may be recipients. */
const RECIPIENTS_LENGTH_MAX = 64 * 1024;
/** Longer than the name of any emoji. */
const EMOJI_LENGTH_MAX = 100;

const Recipient = Type.Union([Type.Integer(), Type.String()]);

export class SendMessageParams {
  @Param(text())
  @IsIn(['direct', 'channel', 'stream', 'private'])
  type!: 'direct' | 'channel' | 'stream' | 'private';

  @Param(
    jsonOrText({
      lengthMax: RECIPIENTS_LENGTH_MAX,
    }),
    { description: 'A channel by name or ID, or users by e-mail addresses or IDs.' },
  )
  @ShapeOrText(Type.Union([Recipient, Type.Array(Recipient, { maxItems: DIRECT_RECIPIENTS_MAX + 1 })]))
  to!: string | number | (string | number)[];

  @Param(text(), { description: 'Markdown. What is longer than max_message_length is cut off.' })
  content!: string;

  @Param(text(), { aliases: ['subject'], optional: true, description: 'Of a channel message.' })
  topic?: string;

  @Param(text(), { optional: true, description: 'Queue of a client that does local echo.' })
  @MaxCharacters(ECHO_LENGTH_MAX)
  queue_id?: string;

  @Param(text(), { optional: true, description: 'Comes back in the event in that queue.' })
  @MaxCharacters(ECHO_LENGTH_MAX)
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

  @Param(text(), { default: 'change_one' })
  @IsIn(['change_one', 'change_later', 'change_all'])
  propagate_mode!: 'change_one' | 'change_later' | 'change_all';

  @Param(boolean(), { default: false })
  send_notification_to_old_thread!: boolean;

  @Param(boolean(), { default: true })
  send_notification_to_new_thread!: boolean;
}

const REACTION_TYPES = ['unicode_emoji', 'realm_emoji', 'service_extra_emoji', 'zulip_extra_emoji'] as const;

export class RemoveReactionParams {
  @Param(text(), { optional: true })
  @MaxCharacters(EMOJI_LENGTH_MAX)
  emoji_name?: string;

  @Param(text(), { optional: true })
  @MaxCharacters(EMOJI_LENGTH_MAX)
  emoji_code?: string;

  @Param(text(), { optional: true })
  @IsIn(REACTION_TYPES)
  reaction_type?: (typeof REACTION_TYPES)[number];
}

export class AddReactionParams extends RemoveReactionParams {
  @Param(text())
  @MaxCharacters(EMOJI_LENGTH_MAX)
  override emoji_name!: string;
}
