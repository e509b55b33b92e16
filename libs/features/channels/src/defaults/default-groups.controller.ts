import { Controller, Delete, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import type { User } from '#users/model';
import { ChangeDefaultGroupsCommand } from './change-default-groups.js';
import type { DefaultGroupRequest } from './default-groups.commands.js';
import {
  CreateDefaultGroupParams,
  DefaultGroupChannelsParams,
  DescribeDefaultGroupParams,
} from './default-groups.params.js';

/** Default channel groups (endpoints.md §8). */
@ApiTags('channels')
@Controller('api/v1/default_stream_groups')
export class DefaultGroupsController {
  constructor(private readonly commands: CommandBus) {}

  @Post('create')
  @Answers()
  @Summary('Create a default channel group', 'A named list of channels that new users may choose. For administrators.')
  async create(
    @Caller() actor: User,
    @Params(CreateDefaultGroupParams) params: CreateDefaultGroupParams,
  ): Promise<void> {
    const { group_name: name, description, stream_names: channelNames } = params;
    await this.#run(actor, { type: 'create-default-group', name, description, channelNames });
  }

  @Patch(':group_id')
  @Answers()
  @Summary('Rename or describe a default channel group', 'For administrators.')
  async describe(
    @Caller() actor: User,
    @PathId('group_id') defaultGroupId: number,
    @Params(DescribeDefaultGroupParams) params: DescribeDefaultGroupParams,
  ): Promise<void> {
    const { new_group_name: name, new_description: description } = params;
    await this.#run(actor, { type: 'describe-default-group', defaultGroupId, name, description });
  }

  @Patch(':group_id/streams')
  @Answers()
  @Summary('Change the channels of a default channel group', 'Adds or removes them. For administrators.')
  async changeChannels(
    @Caller() actor: User,
    @PathId('group_id') defaultGroupId: number,
    @Params(DefaultGroupChannelsParams) { op, stream_names: channelNames }: DefaultGroupChannelsParams,
  ): Promise<void> {
    const type = op === 'add' ? 'add-to-default-group' : 'remove-from-default-group';
    await this.#run(actor, { type, defaultGroupId, channelNames });
  }

  @Delete(':group_id')
  @Answers()
  @Summary('Remove a default channel group', 'For administrators. Its channels stay.')
  async remove(@Caller() actor: User, @PathId('group_id') defaultGroupId: number): Promise<void> {
    await this.#run(actor, { type: 'remove-default-group', defaultGroupId });
  }

  async #run(actor: User, asked: DefaultGroupRequest): Promise<void> {
    await this.commands.execute(new ChangeDefaultGroupsCommand(actor, asked));
  }
}
