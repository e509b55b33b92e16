import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { readerProvider } from '#feature';
import { CallsController } from './calls.controller.js';
import { JoinMeetingController } from './join-meeting.controller.js';
import { ConnectZoomController } from './zoom/connect-zoom.controller.js';
import { ConnectZoomHandler } from './zoom/connect-zoom.js';
import { CreateZoomCallHandler } from './zoom/create-zoom-call.js';
import { zoomAccountsCollection } from './zoom/zoom-account.projection.js';
import { ZoomAccountsReader } from './zoom/zoom-accounts.reader.js';
import { ZoomAccounts } from './zoom/zoom-accounts.js';
import { ZoomClientEvents } from './zoom/zoom.client-events.js';
import { ZoomFields } from './zoom/zoom.fields.js';

/** Providers that the feed and the register response use. */
const open = [ZoomClientEvents, ZoomFields];

/** Video calls. Their services come from the composition root. */
@Module({
  imports: [CqrsModule],
  controllers: [CallsController, ConnectZoomController, JoinMeetingController],
  providers: [
    ...open,
    readerProvider(ZoomAccountsReader, zoomAccountsCollection),
    ConnectZoomHandler,
    CreateZoomCallHandler,
    ZoomAccounts,
  ],
  exports: [...open],
})
export class CallsModule {}
