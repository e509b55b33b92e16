import { defineFeature } from '#feature';
import { ExportClientEvents } from './export.client-events.js';
import { ExportModule } from './export.module.js';
import { exportRunEventTypes } from './requests/export-run.events.js';
import { exportTimers } from './requests/export.timers.js';
import { MakeExport } from './making/make-export.js';
import { exportsPart } from './model/exports.part.js';

/** Exports of the organization's data. Their events are in the stream that they share with the organization. */
export const exporting = defineFeature({
  name: 'export',
  directory: [exportsPart],
  events: exportRunEventTypes,
  decidersOnly: ['export.given-up.v1'],
  timers: [{ source: exportTimers, handler: MakeExport }],
  clientEvents: [ExportClientEvents],
  module: ExportModule,
});
