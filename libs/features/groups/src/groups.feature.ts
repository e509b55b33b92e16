import { defineFeature } from '#feature';
import { runGroupCommand } from './commands/run-group-command.js';
import { GroupNotices } from './group-notices.js';
import { GroupClientEvents } from './groups.client-events.js';
import { GroupMembersController } from './http/group-members.controller.js';
import { GroupsController } from './http/groups.controller.js';
import { groupsPart } from './model/groups.part.js';
import { GroupFields } from './register/group.fields.js';
import { groupEventSchemas, groupFieldSchemas } from './wire-group.js';

/** User groups. Their events are those of the organization. */
export const groups = defineFeature({
  name: 'groups',
  directory: [groupsPart],
  clientEvents: [GroupClientEvents],
  eventSchemas: [groupEventSchemas],
  followUps: {
    'group.created.v1': GroupNotices,
    'group.members-added.v1': GroupNotices,
    'group.members-removed.v1': GroupNotices,
    'group.reactivated.v1': GroupNotices,
    'group.subgroups-added.v1': GroupNotices,
  },
  register: [GroupFields],
  registerSchemas: [groupFieldSchemas],
  commands: [runGroupCommand],
  controllers: [GroupsController, GroupMembersController],
});
