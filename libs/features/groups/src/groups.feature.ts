import { defineFeature } from '#feature';
import { GroupClientEvents } from './groups.client-events.js';
import { GroupsModule } from './groups.module.js';
import { GroupFields } from './register/group.fields.js';
import { GroupNotices } from './group-notices.js';

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
  module: GroupsModule,
});
