import AsyncDatabase from 'libsql/promise';

/**
 * A connection of its own. `exec`, and what leads to the first row of a query, run on a thread of the driver; the event loop steps to each
 * further row: `rowsOf`.
 */
export interface AsyncConnection {
  exec(sql: string): Promise<void>;
  prepare(sql: string): Promise<{ raw(): { all(params: readonly never[]): Promise<unknown[][]> } }>;
  interrupt(): void;
  close(): void;
}

/** The driver's types omit that such a connection is asynchronous. */
export function openAsyncConnection(path: string): AsyncConnection {
  return new AsyncDatabase(path, {});
}

/** Rows of a query that takes long. They are written to a table in memory first, on the driver's thread. */
export async function rowsOf(connection: AsyncConnection, select: string): Promise<unknown[][]> {
  await connection.exec(`PRAGMA temp_store=MEMORY; CREATE TEMP TABLE answer AS ${select}`);
  const rows = await (await connection.prepare('SELECT * FROM temp.answer')).raw().all([]);
  await connection.exec('DROP TABLE temp.answer');
  return rows;
}
