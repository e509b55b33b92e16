import { timersOf } from '#timers';
import type { ExportRunning } from './export-run.events.js';
import type { ExportEvent } from '../model/export.events.js';

/** When a process is to look at an export: at once, and when the process that is at it may have ended. */
export const exportTimers = timersOf<ExportEvent | ExportRunning>('export', {
  'export.requested.v1': ({ data: { exportId, at } }) => [{ subject: String(exportId), dueAt: at }],
  'export.running.v1': ({ data: { exportId, until } }) => [{ subject: String(exportId), dueAt: until }],
  'export.finished.v1': ({ data: { exportId } }) => [{ subject: String(exportId), dueAt: undefined }],
  'export.failed.v1': ({ data: { exportId } }) => [{ subject: String(exportId), dueAt: undefined }],
});
