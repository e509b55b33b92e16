import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { PresenceLists } from './online/list-presences.js';
import { OnePresence } from './online/one-presence.js';
import { PresenceClientEvents } from './online/presence.client-events.js';
import { PresenceController } from './online/presence.controller.js';
import { PresenceFields } from './online/presence.fields.js';
import { Presences } from './online/presences.js';
import { ReportPresenceHandler } from './online/report-presence.js';

/** Who is there. */
@Module({
  imports: [CqrsModule],
  controllers: [PresenceController],
  providers: [OnePresence, PresenceClientEvents, PresenceFields, PresenceLists, Presences, ReportPresenceHandler],
  exports: [PresenceClientEvents, PresenceFields],
})
export class PresenceModule {}
