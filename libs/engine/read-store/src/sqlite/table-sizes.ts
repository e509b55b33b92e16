import AsyncDatabase from 'libsql/promise';

/** The driver's types omit that this connection is asynchronous. */
interface AsyncConnection {
  prepare(sql: string): Promise<{ all(): Promise<readonly { readonly name: string; readonly bytes: number }[]> }>;
  close(): void;
}

/** Bytes of each table and index of a database, on a thread of the driver: it reads every page. */
export async function tableSizes(path: string): Promise<readonly (readonly [string, number])[]> {
  const connection = new AsyncDatabase(path, {}) as unknown as AsyncConnection;
  try {
    const statement = await connection.prepare('SELECT name, SUM(pgsize) AS bytes FROM dbstat GROUP BY name');
    return (await statement.all()).map(({ name, bytes }) => [name, bytes]);
  } finally {
    connection.close();
  }
}
