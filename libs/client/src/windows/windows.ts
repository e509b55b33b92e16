import { IdMap } from '../core/id-map.js';
import { deletedBy } from '../core/messages.js';
import type { State } from '../core/state.js';
import type { Outcome } from '../session/transport.js';
import { OPENING } from '../core/untold.js';
import { type Message, type MessagePage, type NarrowTerm, type ServerEvent, UNCONFIRMED } from '../wire/types.js';
import { belongs, channelsIn, isOfOwnHistory } from './belongs.js';
import { changedMessage } from './message-change.js';
import { merged, placed as placedIn, type Run, runAt, type Runs } from './runs.js';

/** Windows that are kept, and messages of each; those that nobody has looked at for longest go first. */
const WINDOWS_MAX = 20;
const MESSAGES_PER_WINDOW_MAX = 2_000;

/** Properties of channels, and of subscriptions, that decide what is in a narrow. */
const DECIDING = [...OPENING, 'is_web_public', 'is_muted'];

/** What is known of a narrow's messages. */
export interface Window {
  readonly narrow: readonly NarrowTerm[];
  readonly runs: Runs;
  /** What a search has found, by message. */
  readonly matches: IdMap<Match>;
  /** Grows with each change that only the server can resolve: what is in the window is to be fetched again. */
  readonly outdated: number;
  /** `outdated` when the fetch began that was answered last; -1 before the first one. */
  readonly fetched: number;
  /** Why the last fetch was refused. */
  readonly refused?: Refused | undefined;
}

/** The outcome of a fetch that the server has refused. */
export type Refused = Extract<Outcome, { readonly kind: 'refused' }>;

/** Content and topic of a message with the hits of a search in `<span class="highlight">`. */
export interface Match {
  readonly content: string;
  readonly subject: string;
}

/** Messages by ID, and by narrow. Immutable, as `State`. */
export interface Windows {
  readonly messages: IdMap<Message>;
  /** The one that was opened last first. */
  readonly windows: Readonly<Record<string, Window>>;
}

export const NO_WINDOWS: Windows = { messages: IdMap.empty(), windows: {} };

export function withoutNear(narrow: readonly NarrowTerm[]): readonly NarrowTerm[] {
  return narrow.filter(({ operator }) => operator !== 'near');
}

/** Tells narrows apart. `near` only says where to look. */
export function narrowKey(narrow: readonly NarrowTerm[]): string {
  return JSON.stringify(
    withoutNear(narrow).map(({ operator, operand, negated = false }) => [operator, operand, negated]),
  );
}

/**
 * The window with this narrow, opened when it is not there.
 * @param looked.place ID that has to be in it, Infinity for its end: where that is not known, the window is outdated; none when it is being fetched
 * @param looked.keeps whether a window, by its key, goes only after all others
 */
export function opened(
  windows: Windows,
  narrow: readonly NarrowTerm[],
  {
    place,
    keeps = () => false,
  }: { readonly place?: number | undefined; readonly keeps?: (key: string) => boolean } = {},
): Windows {
  const key = narrowKey(narrow);
  const unopened = { narrow: withoutNear(narrow), runs: [], matches: IdMap.empty<Match>(), outdated: 0, fetched: -1 };
  const { [key]: before = unopened, ...others } = windows.windows;
  const isKnown = place === undefined || runAt(before.runs, place) !== undefined;
  const all = Object.entries({ [key]: { ...before, outdated: before.outdated + Number(!isKnown) }, ...others });
  const kept = all.sort(([a], [b]) => Number(keeps(b)) - Number(keeps(a))).slice(0, WINDOWS_MAX);
  const next = { ...windows, windows: Object.fromEntries(kept) };
  return kept.length < all.length ? swept(next) : next;
}

/**
 * Takes in an answer of `GET /messages` for this narrow, unless its window has gone.
 * @param asked.since events that were applied while the answer was on its way: it may be older than they are
 * @param asked.fetched `outdated` of the window when it was asked for all that is looked at, rather than for more
 */
export function withPage(
  windows: Windows,
  narrow: readonly NarrowTerm[],
  page: MessagePage,
  asked: {
    readonly state: State;
    readonly since: readonly ServerEvent[];
    readonly anchor?: number | undefined;
    readonly fetched?: number | undefined;
  },
): Windows {
  const key = narrowKey(narrow);
  const window = windows.windows[key];
  if (window === undefined) return windows;
  let { messages } = windows;
  let { matches } = window;
  for (const { match_content: content, match_subject: subject, ...message } of page.messages as readonly Found[]) {
    messages = messages.set(message.id, message);
    if (content !== undefined) matches = matches.set(message.id, { content, subject: subject ?? '' });
  }
  const run = runOf(page, asked.anchor);
  const runs = run === undefined ? window.runs : merged(window.runs, run);
  const { fetched = window.fetched } = asked;
  const grown = { ...window, runs: trimmed(runs, run), matches, fetched, refused: undefined };
  // The other windows have taken the events in already, and may have been fetched since.
  const alone: Windows = { ...windows, messages, windows: { [key]: grown } };
  const after = asked.since.reduce((before, event) => applied(before, event, asked.state), alone);
  messages = after.messages;
  for (const id of idsOf(windows.windows)) {
    const message = windows.messages.get(id);
    if (message !== undefined && !messages.has(id)) messages = messages.set(id, message);
  }
  const next = { ...after, messages, windows: { ...windows.windows, ...after.windows } };
  return runs.some(isLong) ? swept(next) : next;
}

type Found = Message & { readonly match_content?: string; readonly match_subject?: string };

/** After a fetch of the window that was refused. */
export function refusedIn(windows: Windows, key: string, fetched: number, refused: Refused): Windows {
  return each(windows, (window) => (window === windows.windows[key] ? { ...window, fetched, refused } : window));
}

/** The windows after an event. @param state after the event */
export function applied(windows: Windows, event: ServerEvent, state: State): Windows {
  switch (event.type) {
    case 'message':
      return arrived(windows, { ...(event['message'] as Message), flags: event['flags'] as readonly string[] }, state);
    case 'update_message':
      return replaced(windows, event['message_ids'] as readonly number[], event, state);
    case 'update_message_flags':
      return replaced(
        windows,
        event['all'] === true ? [...windows.messages.keys()] : (event['messages'] as readonly number[]),
        event,
        state,
      );
    case 'reaction':
    case 'submessage':
      return replaced(windows, [event['message_id'] as number], event, state);
    case 'delete_message':
      return deletedBy(event).reduce(removed, windows);
    case 'user_topic':
    case 'muted_users':
      return outdated(windows, ({ narrow }) =>
        narrow.some(({ operator, operand }) => operator === 'in' || operand === 'followed' || operand === 'muted'),
      );
    case 'stream':
    case 'subscription':
      return channelChanged(windows, event, state);
    default:
      return windows;
  }
}

/** All windows, when events are missing: each is to be fetched again. */
export function outdated(windows: Windows, which: (window: Window) => boolean = () => true): Windows {
  const next = each(windows, (window) =>
    which(window) ? { ...window, runs: [], outdated: window.outdated + 1 } : window,
  );
  return next === windows ? windows : swept(next);
}

function runOf({ messages, found_oldest, found_newest }: MessagePage, anchor: number | undefined): Run | undefined {
  const ids = messages.map(({ id }) => id);
  const first = ids[0] ?? anchor;
  const last = ids.at(-1) ?? anchor;
  const from = found_oldest ? 0 : first;
  const to = found_newest ? Infinity : last;
  if (from === undefined || to === undefined || from > to) return undefined;
  return { from, to, ids };
}

const isLong = ({ ids }: Run): boolean => ids.length > MESSAGES_PER_WINDOW_MAX;

/** Cuts a run that is too long at the end that is farther from what was fetched last. */
function trimmed(runs: Runs, fetched: Run | undefined): Runs {
  return runs.map((run) => {
    const { ids } = run;
    if (!isLong(run) || fetched === undefined) return run;
    const isOlder = (fetched.ids[0] ?? 0) <= (ids[0] ?? 0);
    const kept = isOlder ? ids.slice(0, MESSAGES_PER_WINDOW_MAX) : ids.slice(-MESSAGES_PER_WINDOW_MAX);
    return { ...run, ids: kept, ...(isOlder ? { to: kept.at(-1) ?? 0 } : { from: kept[0] ?? 0 }) };
  });
}

function arrived(windows: Windows, message: Message, state: State): Windows {
  const { id } = message;
  let isKept = false as boolean;
  const next = each(windows, (window) => {
    if (runAt(window.runs, id) === undefined) return window;
    const isIn = belongs(window.narrow, message, state);
    isKept ||= isIn === true;
    return placed(window, id, isIn);
  });
  return isKept ? { ...next, messages: next.messages.set(id, message) } : next;
}

function removed(windows: Windows, id: number): Windows {
  const next = each(windows, (window) => placed(window, id, false));
  return { ...next, messages: next.messages.delete(id) };
}

/**
 * With the message in the window, or not, where the window knows about its place.
 * @param isIn undefined where only the server can tell: with a gap there, the window is fetched again
 */
function placed(window: Window, id: number, isIn: boolean | undefined): Window {
  const runs = placedIn(window.runs, id, isIn);
  return runs === window.runs ? window : { ...window, runs, outdated: window.outdated + Number(isIn === undefined) };
}

/** Messages that an event changes may enter and leave narrows. */
function replaced(windows: Windows, ids: readonly number[], event: ServerEvent, state: State): Windows {
  let next = windows;
  const isMovedOut = leavesHistory(event, state);
  for (const id of ids) {
    const before = next.messages.get(id);
    const after = before && changedMessage(before, event, (channelId) => nameOf(state, channelId));
    if (after !== undefined && (isMovedOut || (isMention(before) && !isMention(after)))) {
      next = { ...next, messages: next.messages.delete(id) };
      next = each(next, (window) =>
        placed(window, id, belongs(window.narrow, after, state) === false ? false : undefined),
      );
      continue;
    }
    if (after !== undefined) next = { ...next, messages: next.messages.set(id, after) };
    // Also when it is as the event says: a page from before the event may have come after it.
    if (after !== undefined || canMove(event, state))
      next = each(next, (window) => rechecked(window, id, after, { event, state }));
  }
  return next;
}

/**
 * Whether messages move to a channel that the reader is not subscribed to: whether they are still in the reader's own history, and
 * with which flags, only the server knows.
 */
function leavesHistory({ type, new_stream_id: channelId }: ServerEvent, { subscriptions }: State): boolean {
  return type === 'update_message' && channelId !== undefined && subscriptions?.has(channelId as number) === false;
}

/** Without the mention, a message may not be the reader's any more. */
function isMention(message: Message | undefined): boolean {
  return message?.flags.includes('mentioned') === true;
}

function canMove({ type, ...event }: ServerEvent, state: State): boolean {
  // One's reaction takes a message into one's own history.
  if (type === 'reaction') return event['user_id'] === state.self;
  if (type === 'update_message_flags') return true;
  return type === 'update_message' && (event['new_stream_id'] !== undefined || event['subject'] !== undefined);
}

function rechecked(
  window: Window,
  id: number,
  message: Message | undefined,
  { event, state }: { readonly event: ServerEvent; readonly state: State },
): Window {
  const isIn = message === undefined ? belongsUnseen(window, event, state) : belongs(window.narrow, message, state);
  if (isIn === undefined) {
    // The server cannot tell before it has made the change; its own event then asks.
    if (event.id === UNCONFIRMED) return window;
    // A window that only the server can check, with a message in it that was only marked, stays.
    const isOthers = message !== undefined && !message.flags.includes('historical');
    if (isOthers && isMark(event, window)) return window;
  }
  return placed(window, id, isIn);
}

/** Whether an event leaves the message in the narrow, or out of it: what it changes, the narrow does not name. */
function isMark({ type }: ServerEvent, { narrow }: Window): boolean {
  if (type === 'update_message_flags') return !narrow.some(({ operator }) => operator === 'is' || operator === 'in');
  return type === 'reaction' || type === 'submessage';
}

/** Whether a message that is not here can be in the narrow after the event. */
function belongsUnseen({ narrow }: Window, event: ServerEvent, state: State): boolean | undefined {
  if (event.type !== 'update_message') return isOfOwnHistory(narrow) ? undefined : false;
  const place = {
    id: 0,
    flags: [],
    reactions: [],
    type: 'stream',
    stream_id: event['new_stream_id'] ?? event['stream_id'],
    subject: event['subject'] ?? event['orig_subject'],
  } as unknown as Message;
  const ofPlace = narrow.filter(({ operator }) => ['channel', 'topic'].includes(operator));
  return ofPlace.length > 0 && belongs(ofPlace, place, state) === false ? false : undefined;
}

/** What one may read has changed. */
function channelChanged(windows: Windows, event: ServerEvent, state: State): Windows {
  const { op, property } = event;
  if (op === 'peer_add' || op === 'peer_remove') return windows;
  if (op === 'update' && property === 'name') return renamed(windows, event);
  if (op === 'update' && !DECIDING.includes(String(property))) return windows;
  const named = (event['streams'] ?? event['subscriptions'] ?? [event]) as readonly { readonly stream_id: number }[];
  const ids = named.map(({ stream_id: id }) => id);
  return outdated(windows, ({ narrow }) => {
    const channels = channelsIn(narrow, state);
    return channels.length === 0 || channels.some((id) => ids.includes(id));
  });
}

function renamed(windows: Windows, event: ServerEvent): Windows {
  let { messages } = windows;
  for (const [id, message] of messages)
    if (message.type === 'stream' && message.stream_id === event['stream_id'])
      messages = messages.set(id, { ...message, display_recipient: String(event['value']) });
  return { ...windows, messages };
}

function nameOf({ channels, subscriptions }: State, id: number): string | undefined {
  return (subscriptions?.get(id) ?? channels?.get(id))?.name;
}

function each(windows: Windows, change: (window: Window) => Window): Windows {
  let all = windows.windows;
  for (const [key, window] of Object.entries(all)) {
    const next = change(window);
    if (next !== window) all = { ...all, [key]: next };
  }
  return all === windows.windows ? windows : { ...windows, windows: all };
}

/** Without messages that are in no window. */
function swept(windows: Windows): Windows {
  const kept = idsOf(windows.windows).flatMap((id) => {
    const message = windows.messages.get(id);
    return message === undefined ? [] : [[id, message] as const];
  });
  return { ...windows, messages: IdMap.of(kept) };
}

function idsOf(windows: Windows['windows']): readonly number[] {
  return Object.values(windows).flatMap(({ runs }) => runs.flatMap((run) => run.ids));
}
