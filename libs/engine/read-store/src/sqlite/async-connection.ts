import AsyncDatabase from 'libsql/promise';

/** A connection of its own whose statements run on a thread of the driver. */
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
