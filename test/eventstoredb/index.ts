export { EventStoreDbCluster } from './cluster.js';
export { Faults } from './faults.js';
export type { ObservedLogCall } from './observed-calls.js';
export type { RelayOptions } from './relay.js';
export { EventStoreDbRelay } from './relay.js';
export type { StandInOptions } from './stand-in.js';
export { EventStoreDbStandIn } from './stand-in.js';
export type { ProposedEvent } from './wire.js';
