import { directoryValue } from '#directory';
import { exportEventTypes } from './export.events.js';
import { evolveExports, NO_EXPORTS } from './exports.js';

/** Exports of the organization's data, the oldest first. */
export const exportsPart = directoryValue({
  name: 'exports',
  events: exportEventTypes,
  initial: NO_EXPORTS,
  evolve: evolveExports,
});
