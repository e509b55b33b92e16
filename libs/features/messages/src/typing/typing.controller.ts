import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  Answers,
  ApiTags,
  Caller,
  integer,
  jsonOrText,
  Param,
  Params,
  PathId,
  ShapeOrText,
  Summary,
  text,
} from '#http';
import { badRequest } from '#kernel';
import type { User } from '#users/model';
import { IsIn } from '#validation';
import { addresseeOf, type Addressee, RECIPIENTS_LENGTH_MAX, Recipients } from '../send/addressee.js';
import { SetEditTypingCommand, SetTypingCommand } from './set-typing.js';
import type { TypingOp } from './typing.client-events.js';

class EditTypingParams {
  @Param(text())
  @IsIn(['start', 'stop'])
  op!: TypingOp;
}

class TypingParams extends EditTypingParams {
  @Param(text(), { default: 'direct' })
  @IsIn(['direct', 'channel', 'stream', 'private'])
  type!: 'direct' | 'channel' | 'stream' | 'private';

  @Param(jsonOrText({ lengthMax: RECIPIENTS_LENGTH_MAX }), {
    optional: true,
    description: 'IDs of the users of a direct conversation. Older clients give the channel here.',
  })
  @ShapeOrText(Recipients)
  to?: string | number | (string | number)[];

  @Param(integer(), { optional: true, description: 'The channel.' })
  stream_id?: number;

  @Param(text(), { aliases: ['subject'], optional: true, description: 'Of a channel message.' })
  topic?: string;
}

/** Typing notifications (endpoints.md §5). */
@ApiTags('messages')
@Controller('api/v1')
export class TypingController {
  constructor(private readonly commands: CommandBus) {}

  @Post('typing')
  @Answers()
  @Summary('Say that one is typing', 'Or that one has stopped, in a topic or a direct conversation.')
  async set(@Caller() sender: User, @Params(TypingParams) params: TypingParams): Promise<void> {
    const addressee = addressed(params);
    await this.commands.execute(new SetTypingCommand(sender, params.op, addressee, params.topic ?? ''));
  }

  @Post('messages/:message_id/typing')
  @Answers()
  @Summary('Say that one is editing a message', 'Or that one has stopped.')
  async setEditing(
    @Caller() sender: User,
    @PathId('message_id') messageId: number,
    @Params(EditTypingParams) { op }: EditTypingParams,
  ): Promise<void> {
    await this.commands.execute(new SetEditTypingCommand(sender, op, messageId));
  }
}

/** @throws Refusal BAD_REQUEST naming the missing parameter */
function addressed({ type, to, stream_id, topic }: TypingParams): Addressee {
  if (type === 'direct' || type === 'private') {
    if (to === undefined) throw badRequest("Missing 'to' argument");
    return addresseeOf(type, to);
  }
  const channel = stream_id ?? to;
  if (channel === undefined) throw badRequest("Missing 'stream_id' argument");
  if (topic === undefined) throw badRequest("Missing 'topic' argument");
  return addresseeOf(type, channel);
}
