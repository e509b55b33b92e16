import Database from 'libsql';

/**
 * Changes the file of a log behind the back of the store that may have it open. Everything is in the file itself then, unless a
 * reader is in the midst of it.
 * @returns the rows of the last statement, when it is a query
 */
export function tamperWithLog(path: string, sql: string): readonly unknown[][] {
  const db = new Database(path);
  try {
    db.exec('PRAGMA busy_timeout = 5000');
    if (/^\s*SELECT/.test(sql)) return db.prepare(sql).raw().all() as unknown[][];
    db.exec(sql);
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').all();
    return [];
  } finally {
    db.close();
  }
}
