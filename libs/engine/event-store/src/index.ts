export { type CommandOptions, type CommandResult, CommandRunner, type Decided } from './command-runner.js';
export { CopyGoesOn, copyLog, type CopyLogProgress } from './copy-log.js';
export { credential, isCredential, partsOf } from './credentials.js';
export { DamageWatch } from './damage-watch.js';
export type { EventHandlers, RecordedOf } from './event-handlers.js';
export {
  type Appended,
  type Checkpoint,
  type Damage,
  damageLine,
  DamagedRecord,
  ForeignCheckpoint,
  EventStore,
  EventStoreFull,
  EventStoreUnavailable,
  type ExpectedRevision,
  type NewEvent,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  RevisionConflict,
  type StreamPage,
  type SubscribeOptions,
} from './event-store.js';
export { ObservedEventStore } from './observed-event-store.js';
export { eventStoreComplaint, openEventStore } from './open-event-store.js';
export { earlierIn, keptEarlier } from './origins/earlier.js';
export { type EventOrigin, originOf } from './origins/event-origin.js';
export { parseOrigin, withOrigin } from './origins/origin-text.js';
export { visitEventTypes } from './origins/visit.events.js';
export { visitOf } from './origins/visits.js';
export { ReadBarrier } from './read-barrier.js';
export { type EventOf, EventRegistry, eventType, type EventType, exactly, UnreadableEvent } from './registry.js';
export { acknowledgedPosition } from './sqlite/acknowledged-mark.js';
export { NotABackup, repairLog } from './sqlite/repair-log.js';
export { removeRepairNotes, type RepairNote, repairNotes } from './sqlite/repair-notes.js';
export { SqliteEventStore } from './sqlite/sqlite-event-store.js';
export { WriterLock } from './sqlite/writer-lock.js';
export { AS_STORED } from './stored-shapes.js';
export { assertStreamPrefix, WrongStreamPrefix } from './stream-prefix.js';
export { messageIdOf, streams } from './streams.js';
export { readOnly, ReadOnlyEventStore } from './read-only-event-store.js';
export { isStreamName } from './stream-name.js';
