import { defineFeature, readerProvider } from '#feature';
import { CallsController } from './calls.controller.js';
import { JoinMeetingController } from './join-meeting.controller.js';
import { ConnectZoomController } from './zoom/connect-zoom.controller.js';
import { connectZoom } from './zoom/connect-zoom.js';
import { createZoomCall } from './zoom/create-zoom-call.js';
import { zoomAccountEventTypes } from './zoom/zoom-account.events.js';
import { zoomAccountsCollection, zoomAccountsProjection } from './zoom/zoom-account.projection.js';
import { ZoomAccountsReader } from './zoom/zoom-accounts.reader.js';
import { ZoomAccounts } from './zoom/zoom-accounts.js';
import { ZoomClientEvents } from './zoom/zoom.client-events.js';
import { ZoomFields } from './zoom/zoom.fields.js';
import { zoomEventSchemas, zoomFieldSchemas } from './zoom/zoom-events.schema.js';

/** Video calls. */
export const calls = defineFeature({
  name: 'calls',
  events: zoomAccountEventTypes,
  projections: [zoomAccountsProjection],
  clientEvents: [ZoomClientEvents],
  eventSchemas: [zoomEventSchemas],
  register: [ZoomFields],
  registerSchemas: [zoomFieldSchemas],
  commands: [connectZoom, createZoomCall],
  controllers: [CallsController, ConnectZoomController, JoinMeetingController],
  providers: [readerProvider(ZoomAccountsReader, zoomAccountsCollection), ZoomAccounts],
});
