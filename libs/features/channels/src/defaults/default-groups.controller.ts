import { Controller, Delete, Patch, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { ApiTags, Caller, Params, PathId } from '#http';
import type { User } from '#organization';
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
  async create(
    @Caller() actor: User,
    @Params(CreateDefaultGroupParams) params: CreateDefaultGroupParams,
  ): Promise<void> {
    const { group_name: name, description, stream_names: channelNames } = params;
    await this.#run(actor, { type: 'create-default-group', name, description, channelNames });
  }

  @Patch(':group_id')
  async describe(
    @Caller() actor: User,
    @PathId('group_id') defaultGroupId: number,
    @Params(DescribeDefaultGroupParams) params: DescribeDefaultGroupParams,
  ): Promise<void> {
    const { new_group_name: name, new_description: description } = params;
    await this.#run(actor, { type: 'describe-default-group', defaultGroupId, name, description });
  }

  @Patch(':group_id/streams')
  async changeChannels(
    @Caller() actor: User,
    @PathId('group_id') defaultGroupId: number,
    @Params(DefaultGroupChannelsParams) { op, stream_names: channelNames }: DefaultGroupChannelsParams,
  ): Promise<void> {
    const type = op === 'add' ? 'add-to-default-group' : 'remove-from-default-group';
    await this.#run(actor, { type, defaultGroupId, channelNames });
  }

  @Delete(':group_id')
  async remove(@Caller() actor: User, @PathId('group_id') defaultGroupId: number): Promise<void> {
    await this.#run(actor, { type: 'remove-default-group', defaultGroupId });
  }

  async #run(actor: User, asked: DefaultGroupRequest): Promise<void> {
    await this.commands.execute(new ChangeDefaultGroupsCommand(actor, asked));
  }
}
