import { Controller, Delete, Headers, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiHeader, ApiTags } from '@nestjs/swagger';
import { Caller, ClientName, Params, PathId } from '#http';
import { badRequest, Refusal } from '#kernel';
import type { User } from '#organization';
import { AddReactionCommand } from '../react/add-reaction.js';
import { ChangeMessageCommand, type ChangeRequest } from '../edit/change-message.js';
import { DeleteMessageCommand } from '../delete/delete-message.js';
import { RemoveReactionCommand } from '../react/remove-reaction.js';
import { SendMessageCommand } from '../send/send-message.js';
import type { SendRequest } from '../send/message-sender.js';
import type { AskedEmoji } from '../react/reaction-emoji.js';
import {
  AddReactionParams,
  ChangeMessageParams,
  RemoveReactionParams,
  SendMessageParams,
} from './message-commands.params.js';

const IDEMPOTENCY_KEY = 'Idempotency-Key';
const IDEMPOTENCY_KEY_SHAPE = /^[\x20-\x7e]{1,255}$/;

/** Sending and changing messages (specification, POST and PATCH /messages; endpoints.md §4). */
@ApiTags('messages')
@Controller('api/v1/messages')
export class MessageCommandsController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
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

  /** Without uploads, no edit detaches a file. */
  @Patch(':message_id')
  async change(
    @Caller() actor: User,
    @PathId('message_id') messageId: number,
    @Params(ChangeMessageParams) params: ChangeMessageParams,
  ): Promise<{ detached_uploads: [] }> {
    await this.commands.execute(new ChangeMessageCommand(actor, messageId, changeRequestOf(params)));
    return { detached_uploads: [] };
  }

  @Delete(':message_id')
  async delete(@Caller() actor: User, @PathId('message_id') messageId: number): Promise<void> {
    await this.commands.execute(new DeleteMessageCommand(actor, messageId));
  }

  @Post(':message_id/reactions')
  async react(
    @Caller() actor: User,
    @PathId('message_id') messageId: number,
    @Params(AddReactionParams) params: AddReactionParams,
  ): Promise<void> {
    await this.commands.execute(new AddReactionCommand(actor, messageId, askedEmojiOf(params)));
  }

  @Delete(':message_id/reactions')
  async unreact(
    @Caller() actor: User,
    @PathId('message_id') messageId: number,
    @Params(RemoveReactionParams) params: RemoveReactionParams,
  ): Promise<void> {
    if (params.emoji_name === undefined && params.emoji_code === undefined) {
      throw badRequest('At least one of the following arguments must be present: emoji_name, emoji_code');
    }
    await this.commands.execute(new RemoveReactionCommand(actor, messageId, askedEmojiOf(params)));
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
    ...(topic === undefined ? undefined : { topic }),
    ...(read_by_sender === undefined ? undefined : { readBySender: read_by_sender }),
    ...(queue_id === undefined || local_id === undefined
      ? undefined
      : { echo: { queueId: queue_id, localId: local_id } }),
  };
}

function changeRequestOf(params: ChangeMessageParams): ChangeRequest {
  const { content, prev_content_sha256, topic, stream_id, propagate_mode } = params;
  return {
    ...(content === undefined ? undefined : { content }),
    ...(prev_content_sha256 === undefined ? undefined : { prevContentSha256: prev_content_sha256 }),
    ...(topic === undefined ? undefined : { topic }),
    ...(stream_id === undefined ? undefined : { channelId: stream_id }),
    propagateMode: propagate_mode,
    notices: { oldThread: params.send_notification_to_old_thread, newThread: params.send_notification_to_new_thread },
  };
}

function askedEmojiOf({ emoji_name, emoji_code, reaction_type }: RemoveReactionParams): AskedEmoji {
  return {
    name: emoji_name,
    code: emoji_code,
    type: reaction_type === 'zulip_extra_emoji' ? 'service_extra_emoji' : reaction_type,
  };
}
