import { Controller, Get, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Answers, ApiTags, Caller, Params, PathId, Summary } from '#http';
import { badRequest } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { integer, list, object, truth } from '#wire';
import { RunGroupCommand } from '../commands/run-group-command.js';
import { accessGroup } from '../groups.access.js';
import { ChangeMembersParams, ChangeSubgroupsParams, ListMembersParams, ListSubgroupsParams } from './groups.params.js';

/** Members of a group, directly or through its subgroups (endpoints.md §10). */
@ApiTags('user groups')
@Controller('api/v1/user_groups/:user_group_id')
export class GroupMembersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
  ) {}

  @Get('members')
  @Answers(object({ members: list(integer) }))
  @Summary('List the members of a group', 'Through any depth, or direct ones alone.')
  members(
    @Caller() viewer: User,
    @PathId('user_group_id') groupId: number,
    @Params(ListMembersParams) { direct_member_only: directOnly }: ListMembersParams,
  ): { members: number[] } {
    const group = accessGroup(this.directory, viewer, groupId);
    return { members: directOnly ? this.directory.directMemberIds(group) : this.directory.memberIds([groupId]) };
  }

  @Get('members/:user_id')
  @Answers(object({ is_user_group_member: truth }))
  @Summary('Say whether a user is in a group', 'Through any depth, or directly.')
  isMember(
    @Caller() viewer: User,
    @PathId('user_group_id') groupId: number,
    @PathId('user_id') userId: number,
    @Params(ListMembersParams) { direct_member_only: directOnly }: ListMembersParams,
  ): { is_user_group_member: boolean } {
    const group = accessGroup(this.directory, viewer, groupId);
    const user = this.directory.user(userId);
    if (user === undefined) throw badRequest('No such user');
    const belongs = directOnly ? this.directory.isDirectMember(user, group) : this.directory.isMember(user, groupId);
    return { is_user_group_member: user.isActive && belongs };
  }

  @Post('members')
  @Answers()
  @Summary('Change members and subgroups of a group', 'Adds and removes: all of it or nothing.')
  async changeMembers(
    @Caller() actor: User,
    @PathId('user_group_id') groupId: number,
    @Params(ChangeMembersParams) params: ChangeMembersParams,
  ): Promise<void> {
    const { add: addIds, delete: removeIds, add_subgroups: addSubgroupIds } = params;
    const asked = { addIds, removeIds, addSubgroupIds, removeSubgroupIds: params.delete_subgroups };
    await this.commands.execute(new RunGroupCommand(actor, { type: 'change-members', actor, groupId, ...asked }));
  }

  @Get('subgroups')
  @Answers(object({ subgroups: list(integer) }))
  @Summary('List the subgroups of a group', 'Through any depth, or direct ones alone.')
  subgroups(
    @Caller() viewer: User,
    @PathId('user_group_id') groupId: number,
    @Params(ListSubgroupsParams) { direct_subgroup_only: directOnly }: ListSubgroupsParams,
  ): { subgroups: number[] } {
    const { directSubgroups } = accessGroup(this.directory, viewer, groupId);
    if (directOnly) return { subgroups: [...directSubgroups] };
    return { subgroups: this.directory.groupIdsBelow(groupId).without([groupId]).toArray() };
  }

  @Post('subgroups')
  @Answers()
  @Summary('Change the subgroups of a group', 'Adds and removes: all of it or nothing.')
  async changeSubgroups(
    @Caller() actor: User,
    @PathId('user_group_id') groupId: number,
    @Params(ChangeSubgroupsParams) { add, delete: removed }: ChangeSubgroupsParams,
  ): Promise<void> {
    const asked = { addIds: [], removeIds: [], addSubgroupIds: add, removeSubgroupIds: removed };
    await this.commands.execute(new RunGroupCommand(actor, { type: 'change-members', actor, groupId, ...asked }));
  }
}
