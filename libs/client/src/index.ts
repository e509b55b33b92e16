export { Client, type ClientOptions, type ClientState, CAPABILITIES } from './client.js';
export { apply, applyAll } from './core/apply.js';
export { IdMap, type IdSet, idSet } from './core/id-map.js';
export { KeyMap } from './core/key-map.js';
export { placesOf, registeredOf, type State, stateOf, topicKey } from './core/state.js';
export {
  keyOf,
  type Place,
  placeOf,
  recounted,
  type Unread,
  type UnreadConversation,
  unreadOf,
  wireUnread,
  withOthers,
} from './core/unread.js';
export { hashOf, type Names, termsOf } from './narrow/hash.js';
export { type Draft, draftKey, Drafts } from './session/drafts.js';
export { FlagBatch } from './session/flag-batch.js';
export { type Destination, Outbox, type Outgoing } from './session/outbox.js';
export { Backoff, type Surroundings, SYSTEM } from './session/pauses.js';
export { Session, type SessionListener, type SessionOptions, type SessionStatus } from './session/session.js';
export { SessionTransport } from './session/session-transport.js';
export {
  type Call,
  type FailedOutcome,
  FetchTransport,
  type FetchTransportOptions,
  type Outcome,
  outcomeOf,
  type Transport,
} from './session/transport.js';
export { MemoryStorage, type Storage } from './store/storage.js';
export { type Selected, Store } from './store/store.js';
export { belongs } from './windows/belongs.js';
export type { Reach } from './windows/fetching.js';
export { follow, type Followed, type FollowedView } from './windows/follow.js';
export { isSameView, type View, viewOf } from './windows/view.js';
export {
  applied,
  narrowKey,
  NO_WINDOWS,
  opened,
  outdated,
  type Window,
  type Windows,
  withPage,
} from './windows/windows.js';
export type { AnswerOf, Operation, ParamsAfter, ParamsOf } from './session/operations.js';
/** Answers, events and parameters of the interface, as the server's schemas have them. */
export type * from './wire/types.generated.js';
export type {
  Fields,
  MessagePage,
  NarrowTerm,
  RecentDirect,
  Registered,
  ServerEvent,
  UnreadMessages,
} from './wire/types.js';
