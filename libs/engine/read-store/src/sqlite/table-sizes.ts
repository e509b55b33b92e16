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
