import { Controller, Get } from '@nestjs/common';
import { Answers, ApiTags, Caller, Params, Summary, TakesOperator } from '#http';
import { assertOwner, type User } from '#users/model';
import { Directory } from '#people';
import { described, integer, list, nullable, object, text, truth, type Wire } from '#wire';
import { PageParams } from './operator.params.js';
import { pageAfter } from './page.js';

const GroupsAnswerSchema = object({
  groups: list(
    object({
      group_id: integer,
      name: text,
      is_system_group: truth,
      is_deactivated: truth,
      direct_members: described(nullable(integer), 'Number of them; null for system groups.'),
      direct_subgroups: integer,
      creator_id: nullable(integer),
    }),
  ),
  is_last: truth,
});

/** User groups. */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/operator/groups')
export class GroupsController {
  constructor(private readonly directory: Directory) {}

  @Get()
  @Answers(GroupsAnswerSchema)
  @Summary('List groups', 'A page of them, by ID. For the operator and owners.')
  list(@Caller() caller: User, @Params(PageParams) params: PageParams): Wire<typeof GroupsAnswerSchema> {
    assertOwner(caller);
    const { rows, isLast } = pageAfter(this.directory.groups(), ({ groupId }) => groupId, params);
    return {
      groups: rows.map((group) => ({
        group_id: group.groupId,
        name: group.name,
        is_system_group: group.isSystemGroup,
        is_deactivated: group.isDeactivated,
        direct_members: group.isSystemGroup ? null : group.directMembers.size,
        direct_subgroups: group.directSubgroups.length,
        creator_id: group.creatorId,
      })),
      is_last: isLast,
    };
  }
}
