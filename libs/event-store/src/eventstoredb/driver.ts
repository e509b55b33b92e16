import type * as driver from '@eventstore/db-client';

/** The official client, loaded when the first server is connected to: an embedded server does not pay for it. */
export type Driver = typeof driver;
export type Client = driver.EventStoreDBClient;
export type Position = driver.Position;
/** An event of `$all`, as the client gives it. */
export type DriverEvent = driver.ResolvedEvent;
export type DriverRecord = NonNullable<driver.ResolvedEvent['event']>;

export async function loadDriver(): Promise<Driver> {
  return import('@eventstore/db-client');
}
