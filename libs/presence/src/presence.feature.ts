import { defineFeature } from '#feature';
import { PresenceClientEvents } from './online/presence.client-events.js';
import { PresenceFields } from './online/presence.fields.js';
import { PresenceModule } from './presence.module.js';

/** Who is there. */
export const presence = defineFeature({
  name: 'presence',
  clientEvents: [PresenceClientEvents],
  register: [PresenceFields],
  module: PresenceModule,
});
