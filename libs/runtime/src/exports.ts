import { join } from 'node:path';
import type { Settings } from './settings/settings.js';

/** Folder in which archives are prepared, in the data directory. */
export function exportFolder({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, 'exports');
}
