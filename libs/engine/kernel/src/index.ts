export { Backoff, sleep } from './backoff.js';
export { BoundedMap } from './bounded-map.js';
export type { CallProbe } from './call-probe.js';
export { Clock, SystemClock } from './clock.js';
export { CoreShare } from './core-share.js';
export { type Decider, type DomainEvent, earlierFields, fold } from './decider.js';
export { excerpt } from './excerpt.js';
export { firstAtLeast } from './first-at-least.js';
export { forEachInBatches } from './for-each-in-batches.js';
export { IdSet, type PackedIds, type ReadonlyIdSet } from './id-set.js';
export { newId } from './ids.js';
export { isDay } from './is-day.js';
export type { JsonObject, JsonPiece } from './json.js';
export { KeyedMutex } from './keyed-mutex.js';
export { memoized } from './memoized.js';
export { createFolder, createFolderDurably, createFolderSync, syncFolder } from './create-folder.js';
export { nextSlice, Slices } from './next-slice.js';
export {
  actingBy,
  actingIn,
  type Actor,
  BY_OPERATOR,
  BY_SERVER,
  causedBy,
  knownAs,
  type Origin,
  originFrom,
  type RequestOrigin,
  type Visit,
} from './origin.js';
export { parsedJson } from './parsed-json.js';
export type { OmitEach } from './omit-each.js';
export { idsIn, includesId, type Ranges, rangesOf } from './ranges.js';
export { badRequest, notLoggedIn, Refusal, REFUSAL_CODES, type RefusalCode, unreachable } from './refusal.js';
export { Repetition } from './repetition.js';
export { isSameSecret } from './same-secret.js';
export { type CacheLimits, SegmentedCache } from './segmented-cache.js';
export { Mutex, Semaphore } from './semaphore.js';
export { type ServiceFailure, ServiceReports } from './service-reports.js';
export { SingleFlight } from './single-flight.js';
export { NO_SPANS, type OpenSpan, type SpanAttributes, Spans } from './spans.js';
export { tellFailure } from './tell-failure.js';
export { textUpTo } from './text-up-to.js';
export { Watch } from './watch.js';
export { weightOf } from './weight-of.js';
export { withRoom } from './with-room.js';
export { within } from './within.js';
export { withCauses } from './with-causes.js';
