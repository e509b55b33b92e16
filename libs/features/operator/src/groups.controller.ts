import { Controller, Get } from '@nestjs/common';
import { ApiTags, Caller, Params, TakesOperator } from '#http';
import { assertOwner, Directory, type User } from '#organization';
import { PageParams } from './operator.params.js';
import { pageAfter } from './page.js';

/** User groups. */
@ApiTags('operations')
@TakesOperator()
@Controller('api/v1/operator/groups')
export class GroupsController {
  constructor(private readonly directory: Directory) {}

  @Get()
  list(@Caller() caller: User, @Params(PageParams) params: PageParams): object {
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
