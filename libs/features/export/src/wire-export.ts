import type { JsonObject } from '#kernel';
import type { Directory, Site } from '#organization';
import type { ExportLinks } from './export-links.js';
import type { Export } from './model/exports.js';
import { exportsPart } from './model/exports.part.js';

/** By kind, its number on the wire. */
export const EXPORT_TYPE = { public: 1, consented: 2 } as const satisfies Record<Export['kind'], number>;

/** All exports, the oldest first, in wire format (endpoints.md §12). */
export function wireExports(directory: Pick<Directory, 'of'>, links: ExportLinks, site: Site): JsonObject[] {
  return directory.of(exportsPart).map(({ exportId, by, requestedAt, kind, phase, endedAt = null }) => ({
    id: exportId,
    acting_user_id: by,
    export_time: requestedAt,
    deleted_timestamp: phase === 'deleted' ? endedAt : null,
    failed_timestamp: phase === 'failed' ? endedAt : null,
    export_url: phase === 'ready' ? site.url + links.pathOf(exportId) : null,
    pending: phase === 'pending',
    export_type: EXPORT_TYPE[kind],
  }));
}
