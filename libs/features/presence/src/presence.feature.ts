import { defineFeature } from '#feature';
import { PresenceClientEvents } from './online/presence.client-events.js';
import { PresenceFields } from './online/presence.fields.js';
import { PresenceModule } from './presence.module.js';
import { StatusClientEvents } from './status/status.client-events.js';
import { StatusFields } from './status/status.fields.js';

/** Who is there, and what people tell about themselves. Statuses are events of the user's preferences. */
export const presence = defineFeature({
  name: 'presence',
  clientEvents: [PresenceClientEvents, StatusClientEvents],
  register: [PresenceFields, StatusFields],
  module: PresenceModule,
});
