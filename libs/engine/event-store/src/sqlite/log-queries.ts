import { PAGE_BLOB } from './page-blob.js';
import { READ_COLUMNS } from './record.js';

const events = `SELECT ${READ_COLUMNS} FROM events`;
const identity = `SELECT CAST(revision AS INTEGER) AS revision, CAST(event_id AS BLOB) AS event_id,
  CAST(position AS INTEGER) AS position FROM events`;
const neighbour = 'SELECT CAST(revision AS INTEGER) AS revision, CAST(position AS INTEGER) AS position FROM events';

/**
 * All queries on the log. Results are cast and named because of the driver (`READ_COLUMNS`). ORDER BY names the table's
 * column, because the cast of the same name has no index, and each page would sort the rest of the log.
 */
export const LOG_QUERIES = {
  head: 'SELECT max(position) AS head FROM events',
  page: `${events} WHERE position > ? AND position <= ? ORDER BY events.position LIMIT ?`,
  pageBlob: PAGE_BLOB,
  forwards: `${events} WHERE stream_id = ? AND revision >= ? ORDER BY events.revision LIMIT ?`,
  /** One parameter for any number of revisions. */
  revisions: `${events} WHERE stream_id = ? AND revision IN (SELECT value FROM json_each(?)) ORDER BY events.revision`,
  backwards: `${events} WHERE stream_id = ? AND revision <= ? ORDER BY events.revision DESC LIMIT ?`,
  identities: `${identity} WHERE stream_id = ? AND revision BETWEEN ? AND ? ORDER BY events.revision`,
  /** The neighbours of a revision in its stream. */
  before: `${neighbour} WHERE stream_id = ? AND revision < ? ORDER BY events.revision DESC LIMIT 1`,
  after: `${neighbour} WHERE stream_id = ? AND revision > ? ORDER BY events.revision LIMIT 1`,
  lastRevision: 'SELECT CAST(max(revision) AS INTEGER) AS revision FROM events WHERE stream_id = ?',
  streamId: 'SELECT CAST(id AS INTEGER) AS id FROM streams WHERE name = ?',
  streamName: 'SELECT CAST(name AS BLOB) AS name FROM streams WHERE id = ?',
  /** The only query that reads a whole table: there are as many rows as event types. */
  types: 'SELECT CAST(id AS INTEGER) AS id, CAST(name AS BLOB) AS name FROM event_types',
} as const;
