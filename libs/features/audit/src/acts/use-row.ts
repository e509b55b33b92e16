import type { Directory } from '#people';
import type { NotedUse } from '#uses';
import { type LogEvent, type Row, rowOf } from '../rows.js';

/** The line about one of the uses that an event notes. */
export function useRow(directory: Directory, event: LogEvent, use: NotedUse): Row {
  const { kind, o, at, again, how, userId, name, key, session, fileId, exportId, call } = use;
  const row = rowOf(directory, { ...event, metadata: { o } }, 'used', { use: kind, again, how, call });
  return { ...row, at, user_id: userId, name, key, session, file_id: fileId, export_id: exportId };
}
