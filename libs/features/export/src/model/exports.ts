import { unreachable } from '#kernel';
import type { ExportEvent } from './export.events.js';

/** An export of the organization's data. Times are in seconds since the epoch. */
export interface Export {
  readonly exportId: number;
  readonly kind: 'public' | 'consented';
  /** The administrator who requested it. */
  readonly by: number;
  readonly requestedAt: number;
  readonly phase: 'pending' | 'ready' | 'failed' | 'deleted';
  /** When it failed, or was deleted. */
  readonly endedAt?: number;
  /** Content of the archive in the store of files; absent before it is made. */
  readonly archive?: { readonly hash: string; readonly bytes: number };
}

/** All exports, the oldest first. The state is replaced, never changed, so a reader may keep it. */
export type Exports = readonly Export[];

export const NO_EXPORTS: Exports = [];

export function evolveExports(exports: Exports, event: ExportEvent): Exports {
  const change = (fields: Partial<Export>): Exports =>
    exports.map((one) => (one.exportId === event.data.exportId ? { ...one, ...fields } : one));
  switch (event.type) {
    case 'export.requested.v1': {
      const { exportId, kind, by, at } = event.data;
      return [...exports, { exportId, kind, by, requestedAt: at, phase: 'pending' }];
    }
    case 'export.finished.v1': {
      const { hash, bytes } = event.data;
      return change({ phase: 'ready', archive: { hash, bytes } });
    }
    case 'export.failed.v1':
      return change({ phase: 'failed', endedAt: event.data.at });
    case 'export.deleted.v1':
      return change({ phase: 'deleted', endedAt: event.data.at });
    default:
      return unreachable(event);
  }
}
