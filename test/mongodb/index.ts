export type { Connection, Direction, ObservedCommand } from './connection.js';
export type { ErrorName } from './errors.js';
export type { Chosen, Cut, Fault } from './faults.js';
export type { ProxyOptions } from './proxy.js';
export { MongoProxy } from './proxy.js';
export { Tails } from './tails.js';
