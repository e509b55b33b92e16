import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, integer, Param, Params, Summary } from '#http';
import { assertAdministrator, type User } from '#users/model';
import { ChangeChannelCommand } from '../change/change-channel.js';

class DefaultChannelParams {
  @Param(integer())
  stream_id!: number;
}

/** Default channels, to which new users are subscribed (endpoints.md §8, /default_streams). */
@ApiTags('channels')
@Controller('api/v1/default_streams')
export class DefaultChannelsController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  @Answers()
  @Summary('Make a channel a default channel', 'New users are subscribed to it. For administrators.')
  async add(@Caller() actor: User, @Params(DefaultChannelParams) params: DefaultChannelParams): Promise<void> {
    await this.#change(actor, params.stream_id, true);
  }

  @Delete()
  @Answers()
  @Summary('Make a channel no default channel', 'For administrators. Nobody is unsubscribed.')
  async remove(@Caller() actor: User, @Params(DefaultChannelParams) params: DefaultChannelParams): Promise<void> {
    await this.#change(actor, params.stream_id, false);
  }

  async #change(actor: User, channelId: number, isDefault: boolean): Promise<void> {
    assertAdministrator(actor);
    await this.commands.execute(new ChangeChannelCommand({ actor, channelId, isDefault, permissions: {} }));
  }
}
