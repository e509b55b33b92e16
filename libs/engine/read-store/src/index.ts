export { BackgroundRunner, type WorkStatus } from './background-runner.js';
export type { BackgroundWork, GatedWork, LookingWork } from './background-work.js';
export type { EngineState, EngineStatus } from './engine/engine-status.js';
export { notReady, PositionWaiters } from './engine/position-waiters.js';
export { ProjectionEngine } from './engine/projection-engine.js';
export type { PassProgress } from './engine/pace.js';
export { atEvent } from './engine/failures.js';
export { HeldLease } from './held-lease.js';
export { ObservedKeyValueStore, ObservedReadStore } from './observed-read-store.js';
export { openReadStore, readStoreComplaint } from './open-read-store.js';
export { type Follower, projection, type Projection } from './projection.js';
export { PROJECTOR_LEASE, ProjectorHeartbeat, ProjectorMonitor } from './projector-heartbeat.js';
export { type Intent, ReadSideGate, type ReadSidePass, StandingGate } from './read-side-gate.js';
export { ApiSigns, readingOf } from './api-signs.js';
export { cannotRebuild, ReadSideOperations } from './read-side-operations.js';
export {
  Collection,
  type CollectionSchema,
  type Commit,
  type FieldsRow,
  type Filter,
  type Find,
  type Key,
  type KeyRange,
  KeyValueStore,
  type Prune,
  ReadStore,
  ReadStoreDamaged,
  ReadStoreUnavailable,
  type SavedCheckpoint,
  type Standing,
  type Stored,
  where,
  type Write,
  WriterReplaced,
} from './read-store.js';
export type { EmbeddedReadStores, ReadStores, SharedReadStores } from './read-stores.js';
export { SetAside, UsableReadStore } from './set-aside.js';
export { formerName, nameBeside } from './shadow-names.js';
export { ShownEvents } from './shown-events.js';
export { type Advance, Broadcast, type Lease, Leases, LocalBroadcast, Progress } from './sharing.js';
export { StandbyReadStore } from './standby-read-store.js';
export { SqliteReadStore } from './sqlite/sqlite-read-store.js';
export { SqliteKeyValueStore } from './sqlite/sqlite-side-store.js';
