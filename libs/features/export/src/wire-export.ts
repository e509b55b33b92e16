import type { Site } from '#realm/model';
import {
  type EventSchemas,
  integer,
  list,
  named,
  nullable,
  number,
  numbers,
  object,
  text,
  truth,
  type Wire,
} from '#wire';
import type { ExportLinks } from './export-links.js';
import type { Export } from './model/exports.js';

/** By kind, its number on the wire. */
export const EXPORT_TYPE = { public: 1, consented: 2 } as const satisfies Record<Export['kind'], number>;

export const ExportSchema = named(
  'Export',
  object({
    id: integer,
    acting_user_id: integer,
    export_time: number,
    deleted_timestamp: nullable(number),
    failed_timestamp: nullable(number),
    export_url: nullable(text),
    pending: truth,
    export_type: numbers(...Object.values(EXPORT_TYPE)),
  }),
);

export type WireExport = Wire<typeof ExportSchema>;

export const exportEventSchemas = {
  realm_export: { exports: list(ExportSchema) },
  realm_export_consent: { user_id: integer, consented: truth },
} satisfies EventSchemas;

/** Exports in wire format (endpoints.md §12). */
export function wireExports(exports: readonly Export[], links: ExportLinks, site: Site): WireExport[] {
  return exports.map(({ exportId, by, requestedAt, kind, phase, endedAt = null }) => ({
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
