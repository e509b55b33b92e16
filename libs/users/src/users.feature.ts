import { defineFeature } from '#feature';
import { UserFields } from './register/user.fields.js';
import { UserClientEvents } from './users.client-events.js';
import { UsersModule } from './users.module.js';

/** Accounts. Their events are those of the organization. */
export const users = defineFeature({
  name: 'users',
  clientEvents: [UserClientEvents],
  followUps: ['user.created.v1'],
  register: [UserFields],
  module: UsersModule,
});
