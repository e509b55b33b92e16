import { defineFeature } from '#feature';
import { ProfileClientEvents } from './profile/profile.client-events.js';
import { ProfileFields } from './profile/profile.fields.js';
import { UserFields } from './register/user.fields.js';
import { UserClientEvents } from './users.client-events.js';
import { UsersModule } from './users.module.js';

/** Accounts. Their events are those of the organization. */
export const users = defineFeature({
  name: 'users',
  clientEvents: [UserClientEvents, ProfileClientEvents],
  followUps: ['user.created.v1', 'user.changed.v1', 'user.deactivated.v1', 'user.email-change-requested.v1'],
  register: [UserFields, ProfileFields],
  module: UsersModule,
});
