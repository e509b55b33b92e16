import { Controller, Headers, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  Answers,
  ApiHeader,
  ApiTags,
  boolean,
  Caller,
  ClientName,
  Direct,
  jsonOrText,
  Param,
  Params,
  ShapeOrText,
  Summary,
  TakesWriteOnly,
  text,
} from '#http';
import { badRequest, Refusal } from '#kernel';
import type { User } from '#users/model';
import { IsIn, MaxCharacters } from '#validation';
import { described, integer, object, optional } from '#wire';
import { RECIPIENTS_LENGTH_MAX, Recipients } from './addressee.js';
import type { SendRequest } from './message-sender.js';
import { SendMessageCommand } from './send-message.js';

const IDEMPOTENCY_KEY = 'Idempotency-Key';
const IDEMPOTENCY_KEY_SHAPE = /^[\x20-\x7e]{1,255}$/;
/** Limit of the client's queue ID and local message ID: they are returned in an event, and stay in the log. */
const ECHO_LENGTH_MAX = 100;

class SendMessageParams {
  @Param(text())
  @IsIn(['direct', 'channel', 'stream', 'private'])
  type!: 'direct' | 'channel' | 'stream' | 'private';

  @Param(jsonOrText({ lengthMax: RECIPIENTS_LENGTH_MAX }), {
    description: 'A channel by name or ID, or users by e-mail addresses or IDs.',
  })
  @ShapeOrText(Recipients)
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

/** Sends messages (endpoints.md §4, POST /messages). */
@ApiTags('messages')
@Controller('api/v1/messages')
export class SendMessageController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @Direct()
  @Answers(
    object({
      id: integer,
      automatic_new_visibility_policy: optional(
        described(integer, 'The policy that the caller now has for the topic, where sending changed it.'),
      ),
    }),
  )
  @Summary('Send a message', 'To a channel and topic, or directly to people.')
  @TakesWriteOnly()
  @ApiHeader({
    name: IDEMPOTENCY_KEY,
    required: false,
    description:
      'However often the same request comes with the same key, one message is sent, and its ID is the answer.',
  })
  async send(
    @Caller() sender: User,
    @ClientName() client: string,
    @Headers(IDEMPOTENCY_KEY) key: string | undefined,
    @Params(SendMessageParams) params: SendMessageParams,
  ): Promise<{ id: number; automatic_new_visibility_policy?: number }> {
    const request = { ...sendRequestOf(params, client), ...keyOf(key) };
    const { id, newPolicy } = await this.commands.execute(new SendMessageCommand(sender, request));
    return newPolicy === undefined ? { id } : { id, automatic_new_visibility_policy: newPolicy };
  }
}

function keyOf(key: string | undefined): Pick<SendRequest, 'key'> {
  if (key === undefined) return {};
  if (!IDEMPOTENCY_KEY_SHAPE.test(key)) throw badRequest(`${IDEMPOTENCY_KEY} must be 1 to 255 printable characters.`);
  return { key };
}

function sendRequestOf(params: SendMessageParams, client: string): SendRequest {
  const { type, to, content, topic, queue_id, local_id, read_by_sender } = params;
  if (queue_id !== undefined && local_id === undefined) {
    throw new Refusal('REQUEST_VARIABLE_MISSING', "Missing 'local_id' argument", { var_name: 'local_id' });
  }
  return {
    type,
    to,
    content,
    client,
    topic,
    readBySender: read_by_sender,
    echo: queue_id === undefined || local_id === undefined ? undefined : { queueId: queue_id, localId: local_id },
  };
}
