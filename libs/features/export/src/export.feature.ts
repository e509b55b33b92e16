import { defineFeature, PendingWork } from '#feature';
import { ExportLinks } from './export-links.js';
import { ExportClientEvents } from './export.client-events.js';
import { ArchiveController } from './http/archive.controller.js';
import { ExportsController } from './http/exports.controller.js';
import { listExports, listConsents } from './list-exports.js';
import { ExportSurroundings } from './making/export-surroundings.js';
import { MakeExport } from './making/make-export.js';
import { PendingExports } from './making/pending-exports.js';
import { exportsPart } from './model/exports.part.js';
import { changeExports } from './requests/change-exports.js';
import { exportRunEventTypes } from './requests/export-run.events.js';
import { exportTimers } from './requests/export.timers.js';
import { exportEventSchemas } from './wire-export.js';

/** Exports of the organization's data. Their events are in the stream that they share with the organization. */
export const exporting = defineFeature({
  name: 'export',
  directory: [exportsPart],
  events: exportRunEventTypes,
  decidersOnly: ['export.given-up.v1', 'export.running.v1'],
  timers: [{ source: exportTimers, handler: MakeExport }],
  additions: [{ to: PendingWork, items: [PendingExports] }],
  clientEvents: [ExportClientEvents],
  eventSchemas: [exportEventSchemas],
  commands: [changeExports],
  queries: [listConsents, listExports],
  controllers: [ExportsController, ArchiveController],
  providers: [
    {
      provide: ExportLinks,
      inject: [ExportSurroundings],
      useFactory: ({ secret }: ExportSurroundings) => new ExportLinks(secret),
    },
  ],
});
