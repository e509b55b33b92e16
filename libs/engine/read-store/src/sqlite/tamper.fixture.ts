import Database from 'libsql';

/**
 * Changes a file of read models behind the back of the store that may have it open.
 * @param sql in which `TABLE` is the table of the collection's documents
 */
export function tamper(path: string, collection: string, sql: string): void {
  const db = new Database(path);
  db.exec('PRAGMA busy_timeout = 10000');
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").raw().all() as string[][];
  const table = tables
    .flat()
    .find((name) => name.startsWith(`${collection}__`) && /^\d+$/.test(name.slice(collection.length + 2)));
  db.exec(sql.replace('TABLE', `"${table ?? ''}"`));
  db.close();
}
