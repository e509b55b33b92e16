import { keyOf } from '../core/unread.js';
import type { Storage } from '../store/storage.js';
import type { Fields, ServerEvent } from '../wire/types.js';
import type { Destination } from './outbox.js';
import type { Surroundings } from './pauses.js';
import { Shelf } from './shelf.js';
import type { Call, Transport } from './transport.js';
import { WorkLoop } from './work-loop.js';

/** A key is stored soon, and told to the server when the writer rests. */
const STORED_WITHIN_MS = 250;
const TOLD_AFTER_MS = 2_000;

/** What somebody has begun to write in a conversation. */
export interface Draft {
  readonly to: Destination;
  readonly content: string;
  readonly changedAtMs: number;
  /** The server's draft that is a copy of this one. */
  readonly serverId?: number | undefined;
  /** Whether the server does not have this content. */
  readonly isNew: boolean;
}

export interface DraftsParts {
  readonly transport: Transport;
  /** Without one, drafts that the server does not keep are lost with the process. */
  readonly storage?: Storage | undefined;
  readonly changed: (all: ReadonlyMap<string, Draft>) => void;
  /** Receives failures of the storage. */
  readonly report?: ((text: string) => void) | undefined;
  /** `user_settings` of the state: with `enable_drafts_synchronization` the server keeps drafts as well. */
  readonly settings: () => Fields | undefined;
  readonly surroundings?: Surroundings | undefined;
}

interface ServerDraft {
  readonly id: number;
  readonly type: 'stream' | 'private' | '';
  readonly to: readonly number[];
  readonly topic: string;
  readonly content: string;
  readonly timestamp: number;
}

/** Tells conversations apart, as `keyOf` of an unread place does. */
export function draftKey(to: Destination): string {
  return keyOf('userIds' in to ? { others: [...to.userIds].sort((a, b) => a - b) } : to);
}

/** Drafts by conversation: here at once, in the storage soon, and at the server when the writer rests. */
export class Drafts {
  #all: ReadonlyMap<string, Draft> = new Map();
  readonly #unstored = new Set<string>();
  readonly #storing: WorkLoop;
  readonly #telling: WorkLoop;
  readonly #shelf: Shelf<Draft>;

  constructor(private readonly parts: DraftsParts) {
    this.#storing = new WorkLoop(parts.surroundings, () => this.#store());
    this.#telling = new WorkLoop(parts.surroundings, () => this.#tell());
    this.#shelf = new Shelf(parts, 'draft/');
  }

  get(to: Destination): Draft | undefined {
    return this.#all.get(draftKey(to));
  }

  load(): Promise<void> {
    return this.#shelf.load((found) => {
      // What was written meanwhile is newer.
      this.#show(new Map([...found.map((one) => [draftKey(one.to), one] as const), ...this.#all]));
    });
  }

  /** @param content empty when there is no draft any more: it was sent, or taken back */
  set(to: Destination, content: string): void {
    const key = draftKey(to);
    const before = this.#all.get(key);
    if ((before?.content ?? '') === content) return;
    const draft: Draft = {
      to,
      content,
      changedAtMs: this.#telling.surroundings.now(),
      isNew: true,
      serverId: before?.serverId,
    };
    this.#show(new Map(this.#all).set(key, draft));
    this.#unstored.add(key);
    this.#storing.begin();
    this.#telling.wake();
    this.#telling.begin();
  }

  /** Stores everything at once: the page may go. */
  async flush(): Promise<void> {
    await Promise.all([...this.#unstored].map((key) => this.#write(key)));
  }

  /**
   * Takes in all drafts of the server: others that it had were sent or removed elsewhere. The newer of two wordings stays; one that the
   * server does not have is told as a second draft.
   */
  take(drafts: unknown): void {
    const found = drafts as readonly ServerDraft[];
    if (this.#isSynchronized) this.#forget((serverId) => !found.some(({ id }) => id === serverId));
    this.#takeIn(found);
  }

  #takeIn(drafts: readonly ServerDraft[]): void {
    const all = new Map(this.#all);
    for (const one of drafts) {
      const to = destinationOf(one);
      if (to === undefined) continue;
      const key = draftKey(to);
      const own = all.get(key);
      const theirs = { to, content: one.content, changedAtMs: one.timestamp * 1000, serverId: one.id, isNew: false };
      // Told before, without an answer.
      const isTold = own?.content === theirs.content;
      if (own === undefined || isTold || (!own.isNew && own.changedAtMs < theirs.changedAtMs)) all.set(key, theirs);
      else if (own.isNew && own.serverId === one.id && own.changedAtMs < theirs.changedAtMs)
        all.set(key, { ...own, serverId: undefined });
      this.#unstored.add(key);
    }
    this.#show(all);
    this.#storing.begin();
    // What an earlier run, or a server that was out of reach, has left.
    this.#telling.begin();
  }

  /** Applies an event of the server, when it is one of drafts. */
  event(event: ServerEvent): void {
    // The server has erased its drafts with their synchronization, and has none at first.
    if (event['property'] === 'enable_drafts_synchronization')
      this.#show(new Map(Array.from(this.#all, ([key, draft]) => [key, { ...draft, serverId: undefined }])));
    if (event.type !== 'drafts') return;
    if (event.op !== 'remove') {
      this.#takeIn((event['drafts'] ?? [event['draft']]) as readonly ServerDraft[]);
      return;
    }
    this.#forget((serverId) => serverId === event['draft_id']);
  }

  /** Drops drafts that the server has no more. What was written in them since stays, as a draft that it never had. */
  #forget(isGone: (serverId: number) => boolean): void {
    const all = new Map(this.#all);
    for (const [key, draft] of all) {
      if (draft.serverId === undefined || !isGone(draft.serverId)) continue;
      if (draft.isNew) all.set(key, { ...draft, serverId: undefined });
      else all.delete(key);
      this.#unstored.add(key);
    }
    this.#show(all);
    this.#storing.begin();
  }

  get #isSynchronized(): boolean {
    return this.parts.settings()?.['enable_drafts_synchronization'] === true;
  }

  async stop(): Promise<void> {
    await Promise.all([this.#telling.stop(), this.#storing.stop()]);
    await this.flush();
  }

  async #store(): Promise<void> {
    await this.#storing.sleep(STORED_WITHIN_MS);
    await this.flush();
  }

  async #write(key: string): Promise<void> {
    this.#unstored.delete(key);
    await this.#shelf.set(key, this.#all.get(key));
  }

  async #tell(): Promise<void> {
    let pauseMs = TOLD_AFTER_MS;
    for (;;) {
      const isWoken = await this.#telling.sleep(pauseMs);
      if (this.#telling.isEnded) return;
      // Somebody goes on writing.
      if (isWoken) continue;
      const next = [...this.#all].find(([, { isNew }]) => isNew);
      if (next === undefined) return;
      pauseMs = Math.max(TOLD_AFTER_MS, await this.#tellOne(...next));
    }
  }

  /** @returns the pause that the server needs in ms */
  async #tellOne(key: string, draft: Draft): Promise<number> {
    let id = draft.serverId;
    const call = this.#isSynchronized ? callFor(draft) : undefined;
    if (call !== undefined) {
      const outcome = await this.parts.transport.send(call);
      // Signed out, or out of reach: it is still to be told.
      if (outcome.kind === 'lost' || (outcome.kind === 'refused' && outcome.status === 401))
        return this.#telling.backoff.next();
      if (outcome.kind === 'later') return this.#telling.backoff.next(outcome.afterMs);
      this.#telling.backoff.reset();
      // It was removed elsewhere: the next turn tells it as another one.
      if (call.method === 'PATCH' && outcome.kind === 'refused') {
        this.#forget((serverId) => serverId === id);
        return 0;
      }
      if (call.method === 'POST' && outcome.kind === 'ok') id = (outcome.body['ids'] as readonly number[])[0];
    }
    this.#told(key, draft, id);
    await this.#write(key);
    return 0;
  }

  #told(key: string, { content }: Draft, id: number | undefined): void {
    const now = this.#all.get(key);
    if (now === undefined) return;
    const all = new Map(this.#all);
    const isSame = now.content === content;
    if (isSame && content === '') all.delete(key);
    else all.set(key, { ...now, isNew: !isSame, serverId: id });
    this.#show(all);
    this.#unstored.add(key);
  }

  #show(all: ReadonlyMap<string, Draft>): void {
    this.#all = all;
    this.parts.changed(all);
  }
}

function destinationOf({ type, to, topic }: ServerDraft): Destination | undefined {
  if (type === 'private') return { userIds: to };
  const [channelId] = to;
  return type === 'stream' && channelId !== undefined ? { channelId, topic } : undefined;
}

/** The call that tells the server; undefined when there is nothing that it should know. */
function callFor(draft: Draft): Call | undefined {
  const { serverId, content } = draft;
  if (content === '') return serverId === undefined ? undefined : { method: 'DELETE', path: `/drafts/${serverId}` };
  const wire = wireDraft(draft);
  if (serverId === undefined) return { method: 'POST', path: '/drafts', params: { drafts: [wire] } };
  return { method: 'PATCH', path: `/drafts/${serverId}`, params: { draft: wire } };
}

function wireDraft({ to, content, changedAtMs }: Draft): Fields {
  const timestamp = Math.floor(changedAtMs / 1000);
  if ('userIds' in to) return { type: 'private', to: to.userIds, topic: '', content, timestamp };
  return { type: 'stream', to: [to.channelId], topic: to.topic, content, timestamp };
}
