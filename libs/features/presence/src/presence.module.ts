import { Global, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PresenceLists } from './online/list-presences.js';
import { OnePresence } from './online/one-presence.js';
import { PresenceClientEvents } from './online/presence.client-events.js';
import { PresenceController } from './online/presence.controller.js';
import { PresenceFields } from './online/presence.fields.js';
import { Presences } from './online/presences.js';
import { ReportPresenceHandler } from './online/report-presence.js';
import { SetStatusHandler } from './status/set-status.js';
import { StatusClientEvents } from './status/status.client-events.js';
import { StatusController } from './status/status.controller.js';
import { StatusFields } from './status/status.fields.js';
import { Statuses } from './status/statuses.js';

/** Who is there, and what people tell about themselves. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [PresenceController, StatusController],
  providers: [
    OnePresence,
    PresenceClientEvents,
    PresenceFields,
    PresenceLists,
    Presences,
    ReportPresenceHandler,
    SetStatusHandler,
    StatusClientEvents,
    StatusFields,
    Statuses,
  ],
  exports: [PresenceClientEvents, PresenceFields, Presences, StatusClientEvents, StatusFields],
})
export class PresenceModule {}
