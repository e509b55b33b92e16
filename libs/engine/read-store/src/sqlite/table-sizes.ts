import { openAsyncConnection, rowsOf } from './async-connection.js';

/** Bytes of each table and index of a database, on a thread of the driver: it reads every page. */
export async function tableSizes(path: string): Promise<readonly (readonly [string, number])[]> {
  const connection = openAsyncConnection(path);
  try {
    const rows = await rowsOf(connection, 'SELECT name, SUM(pgsize) FROM dbstat GROUP BY name');
    return rows as [string, number][];
  } finally {
    connection.close();
  }
}

/** Rows of these tables, on a thread of the driver. */
export async function tableCounts(path: string, tables: readonly string[]): Promise<readonly number[]> {
  const connection = openAsyncConnection(path);
  try {
    const counts: number[] = [];
    for (const table of tables) {
      const [row] = (await rowsOf(connection, `SELECT COUNT(*) FROM "${table}"`)) as [[number]];
      counts.push(row[0]);
    }
    return counts;
  } finally {
    connection.close();
  }
}
