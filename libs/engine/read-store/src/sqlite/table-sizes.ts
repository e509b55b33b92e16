import { openAsyncConnection } from './async-connection.js';

/** Bytes of each table and index of a database, on a thread of the driver: it reads every page. */
export async function tableSizes(path: string): Promise<readonly (readonly [string, number])[]> {
  const connection = openAsyncConnection(path);
  try {
    const statement = await connection.prepare('SELECT name, SUM(pgsize) FROM dbstat GROUP BY name');
    return (await statement.raw().all([])) as [string, number][];
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
      const statement = await connection.prepare(`SELECT COUNT(*) FROM "${table}"`);
      const [row] = (await statement.raw().all([])) as [[number]];
      counts.push(row[0]);
    }
    return counts;
  } finally {
    connection.close();
  }
}
