export type { Connection, Direction } from './connection.js';
export type { ErrorName } from './errors.js';
export type { Chosen, Cut, Fault } from './faults.js';
export { MongoProxy } from './proxy.js';
