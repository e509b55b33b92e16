import { defineFeature } from '#feature';
import { PresenceLists } from './online/list-presences.js';
import { OnePresence } from './online/one-presence.js';
import { PresenceClientEvents } from './online/presence.client-events.js';
import { PresenceController } from './online/presence.controller.js';
import { PresenceFields } from './online/presence.fields.js';
import { Presences } from './online/presences.js';
import { reportPresence } from './online/report-presence.js';
import { setStatus } from './status/set-status.js';
import { StatusClientEvents } from './status/status.client-events.js';
import { StatusController } from './status/status.controller.js';
import { StatusFields } from './status/status.fields.js';
import { Statuses } from './status/statuses.js';
import { statusesPart } from './model/statuses.part.js';
import { presenceEventSchemas, presenceFieldSchemas } from './online/wire-presence.js';
import { statusEventSchemas, statusFieldSchemas } from './status/wire-status.js';

/** Who is there, and what people tell about themselves. Statuses are in the stream of the user's preferences. */
export const presence = defineFeature({
  name: 'presence',
  directory: [statusesPart],
  clientEvents: [PresenceClientEvents, StatusClientEvents],
  eventSchemas: [presenceEventSchemas, statusEventSchemas],
  register: [PresenceFields, StatusFields],
  registerSchemas: [presenceFieldSchemas, statusFieldSchemas],
  commands: [reportPresence, setStatus],
  controllers: [PresenceController, StatusController],
  providers: [OnePresence, PresenceLists, Presences, Statuses],
});
