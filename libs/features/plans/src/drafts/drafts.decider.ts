import { keptEarlier } from '#event-store';
import { badRequest, Refusal, unreachable, type Decider } from '#kernel';
import { jsonBytes } from '../json-bytes.js';
import { nextId } from '../next-id.js';
import type { DraftCommand } from './drafts.commands.js';
import type { Draft, DraftEvent } from './drafts.events.js';

/** Maximum drafts of a user: the register response lists all of them (register.md §2). */
export const DRAFTS_MAX = 1000;
/** Maximum size of all drafts of a user as JSON, since each client that registers receives all of them. */
export const DRAFTS_BYTES_MAX = 2 * 1024 * 1024;

export const NO_SUCH_DRAFT = 'Draft does not exist';

interface KnownDraft {
  readonly bytes: number;
  /** Seconds since the epoch, by the server's clock. */
  readonly addedAt: number;
  /** The draft, for the record of what there was. */
  readonly kept: unknown;
}

interface Drafts {
  lastId: number;
  /** Size of all drafts as JSON. */
  bytes: number;
  readonly byId: Map<number, KnownDraft>;
}

/** A user's drafts (endpoints.md §6), in their `plans-{id}` stream. */
export const draftsDecider: Decider<Drafts, DraftCommand, DraftEvent> = {
  initial: () => ({ lastId: 0, bytes: 0, byId: new Map() }),
  decide,
  evolve,
  earlier,
};

/** @throws Refusal BAD_REQUEST, NOT_FOUND */
function decide(state: Drafts, command: DraftCommand): readonly DraftEvent[] {
  const { userId, at } = command;
  if (command.type !== 'erase-drafts') assertSynchronized(command.isSynchronized);
  switch (command.type) {
    case 'add-drafts': {
      const firstId = nextId(userId, state.lastId);
      const drafts = command.drafts.map((draft, index): Draft => ({ draftId: firstId + index, ...draft }));
      if (drafts.length === 0) return [];
      assertRoom(
        state.byId.size + drafts.length,
        drafts.reduce((bytes, draft) => bytes + jsonBytes(draft), state.bytes),
      );
      return [{ type: 'drafts.added.v1', data: { userId, drafts, at } }];
    }
    case 'change-draft': {
      const { draftId } = command;
      const { bytes } = existing(state, draftId);
      const draft: Draft = { draftId, ...command.draft };
      assertRoom(state.byId.size, state.bytes - bytes + jsonBytes(draft));
      return [{ type: 'draft.changed.v1', data: { userId, draft, at } }];
    }
    case 'remove-draft': {
      const { draftId } = command;
      existing(state, draftId);
      return [{ type: 'draft.removed.v1', data: { userId, draftId, at } }];
    }
    case 'erase-drafts': {
      const upTo = lastAddedUntil(state, command.addedUntil);
      return upTo === undefined ? [] : [{ type: 'drafts.erased.v1', data: { userId, upTo, at } }];
    }
    default:
      return unreachable(command);
  }
}

/** Events of other plans, which are in the same stream, change nothing. */
function evolve(state: Drafts, event: DraftEvent): Drafts {
  switch (event.type) {
    case 'drafts.added.v1':
      for (const draft of event.data.drafts) put(state, draft, event.data.at);
      break;
    case 'draft.changed.v1': {
      const { draft, at } = event.data;
      put(state, draft, state.byId.get(draft.draftId)?.addedAt ?? at);
      break;
    }
    case 'draft.removed.v1':
      remove(state, event.data.draftId);
      break;
    case 'drafts.erased.v1':
      for (const draftId of state.byId.keys()) if (draftId <= event.data.upTo) remove(state, draftId);
      break;
  }
  return state;
}

function put(state: Drafts, draft: Draft, addedAt: number): void {
  remove(state, draft.draftId);
  const bytes = jsonBytes(draft);
  state.byId.set(draft.draftId, { bytes, addedAt, kept: keptEarlier(draft) });
  state.bytes += bytes;
  state.lastId = Math.max(state.lastId, draft.draftId);
}

function remove(state: Drafts, draftId: number): void {
  state.bytes -= state.byId.get(draftId)?.bytes ?? 0;
  state.byId.delete(draftId);
}

/** The drafts that go, or change. */
function earlier({ byId }: Drafts, event: DraftEvent): object | undefined {
  switch (event.type) {
    case 'draft.changed.v1':
      return { draft: byId.get(event.data.draft.draftId)?.kept };
    case 'draft.removed.v1':
      return { draft: byId.get(event.data.draftId)?.kept };
    case 'drafts.erased.v1': {
      const { upTo } = event.data;
      return { drafts: [...byId].filter(([draftId]) => draftId <= upTo).map(([, { kept }]) => kept) };
    }
    default:
      return undefined;
  }
}

/** The largest ID of a draft that was added at this second or earlier; undefined when there is none. */
function lastAddedUntil({ byId }: Drafts, second: number): number | undefined {
  let last: number | undefined;
  for (const [draftId, { addedAt }] of byId) if (addedAt <= second) last = Math.max(last ?? 0, draftId);
  return last;
}

/** @throws Refusal BAD_REQUEST */
export function assertSynchronized(isSynchronized: boolean): void {
  if (!isSynchronized) throw badRequest('Synchronization of drafts is turned off in your settings.');
}

function assertRoom(count: number, bytes: number): void {
  if (count > DRAFTS_MAX)
    throw badRequest(`You have too many drafts (limit: ${DRAFTS_MAX}). Delete some of them first.`);
  if (bytes > DRAFTS_BYTES_MAX)
    throw badRequest(
      `Your drafts are too large together (limit: ${DRAFTS_BYTES_MAX} bytes). Delete some of them first.`,
    );
}

function existing({ byId }: Drafts, draftId: number): KnownDraft {
  const known = byId.get(draftId);
  if (known === undefined) throw new Refusal('NOT_FOUND', NO_SUCH_DRAFT);
  return known;
}
