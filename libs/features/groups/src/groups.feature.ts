import { defineFeature } from '#feature';
import { runGroupCommand } from './commands/run-group-command.js';
import { GroupNotices } from './group-notices.js';
import { GroupClientEvents } from './groups.client-events.js';
import { GroupMembersController } from './http/group-members.controller.js';
import { GroupsController } from './http/groups.controller.js';
import { GroupFields } from './register/group.fields.js';

/** User groups. Their events are those of the organization. */
export const groups = defineFeature({
  name: 'groups',
  clientEvents: [GroupClientEvents],
  followUps: {
    'group.created.v1': GroupNotices,
    'group.members-added.v1': GroupNotices,
    'group.members-removed.v1': GroupNotices,
  },
  register: [GroupFields],
  commands: [runGroupCommand],
  controllers: [GroupsController, GroupMembersController],
});
