import { Controller, Get, Patch, Post, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { JsonFields } from '#feature';
import { Answers, ApiTags, Caller, Params, PathId, sendLateFields, Summary, WritesAnswer } from '#http';
import { Slices } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { integer, list, object } from '#wire';
import { GROUP_PERMISSION_NAMES, type GroupPermission } from '../model/group-permissions.js';
import { RunGroupCommand } from '../commands/run-group-command.js';
import { groupTextsOf } from '../group-texts.js';
import { ChangeGroupParams, CreateGroupParams, ListGroupsParams } from './groups.params.js';
import { GroupSchema } from '../wire-group.js';

/** User groups (endpoints.md §10). */
@ApiTags('user groups')
@Controller('api/v1/user_groups')
export class GroupsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
  ) {}

  @Get()
  @WritesAnswer(object({ user_groups: list(GroupSchema) }))
  @Summary('List user groups', 'System groups among them.')
  async list(@Params(ListGroupsParams) params: ListGroupsParams, @Res() reply: FastifyReply): Promise<void> {
    const texts = groupTextsOf(this.directory);
    await texts.warm(new Slices());
    const groups = [...this.directory.groups()]
      .filter(({ isDeactivated }) => params.include_deactivated_groups || !isDeactivated)
      .sort((a, b) => a.groupId - b.groupId);
    await sendLateFields(reply, new JsonFields().addLateList('user_groups', texts.of(groups)).pieces());
  }

  @Post('create')
  @Answers(object({ group_id: integer }))
  @Summary('Create a user group', 'With members, subgroups and permissions.')
  async create(
    @Caller() actor: User,
    @Params(CreateGroupParams) params: CreateGroupParams,
  ): Promise<{ group_id: number }> {
    const { name, description, members: memberIds, subgroups: subgroupIds } = params;
    const asked = { name, description, memberIds, subgroupIds, permissions: settingsAmong(params) };
    const [created] = await this.commands.execute(
      new RunGroupCommand(actor, { type: 'create-group', actor, ...asked }),
    );
    if (created === undefined) throw new Error('A group was created without an event.');
    return { group_id: created.data.groupId };
  }

  @Patch(':user_group_id')
  @Answers()
  @Summary('Change a user group', 'Name, description, permissions; `deactivated=false` makes it active again.')
  async change(
    @Caller() actor: User,
    @PathId('user_group_id') groupId: number,
    @Params(ChangeGroupParams) params: ChangeGroupParams,
  ): Promise<void> {
    const { name, description, deactivated } = params;
    const asked = { groupId, name, description, deactivated, permissions: settingsAmong(params) };
    await this.commands.execute(new RunGroupCommand(actor, { type: 'change-group', actor, ...asked }));
  }

  @Post(':user_group_id/deactivate')
  @Answers()
  @Summary('Deactivate a user group', 'Refused while a setting or another group uses it.')
  async deactivate(@Caller() actor: User, @PathId('user_group_id') groupId: number): Promise<void> {
    await this.commands.execute(new RunGroupCommand(actor, { type: 'deactivate-group', actor, groupId }));
  }
}

function settingsAmong<Value>(
  params: Partial<Record<GroupPermission, Value>>,
): Readonly<Partial<Record<GroupPermission, Value>>> {
  const settings: Partial<Record<GroupPermission, Value>> = {};
  for (const name of GROUP_PERMISSION_NAMES) if (params[name] !== undefined) settings[name] = params[name];
  return settings;
}
