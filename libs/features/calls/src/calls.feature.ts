import { defineFeature } from '#feature';
import { CallsModule } from './calls.module.js';
import { zoomAccountEventTypes } from './zoom/zoom-account.events.js';
import { zoomAccountsProjection } from './zoom/zoom-account.projection.js';
import { ZoomClientEvents } from './zoom/zoom.client-events.js';
import { ZoomFields } from './zoom/zoom.fields.js';

/** Video calls. */
export const calls = defineFeature({
  name: 'calls',
  events: zoomAccountEventTypes,
  projections: [zoomAccountsProjection],
  clientEvents: [ZoomClientEvents],
  register: [ZoomFields],
  module: CallsModule,
});
