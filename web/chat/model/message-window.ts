/** The messages of one narrow that are loaded: a run without gaps, which grows at either end. */
import { ApiFailure, call, reasonOf } from '../../shared/api.js';
import { narrowKey, type Term } from './narrow.js';
import type { Message } from './wire.js';

const PAGE_MESSAGES = 100;
/** Messages of a window; with more, those at the end that the reader is not at are forgotten. */
const MESSAGES_MAX = 2000;

export interface WindowState {
  readonly phase: 'loading' | 'ready' | 'failed';
  readonly messages: readonly Message[];
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  /** Message at which it opens; undefined for its end. */
  readonly anchorId: number | undefined;
  readonly failure: string | undefined;
  /** Counts the loads from anew: another is another list. */
  readonly generation: number;
}

interface Answer {
  readonly messages: readonly Message[];
  readonly anchor: number;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
}

export type WindowAnchor = number | 'first_unread' | 'newest';

export class MessageWindow {
  readonly key: string;
  #state: WindowState = {
    phase: 'loading',
    messages: [],
    foundOldest: false,
    foundNewest: false,
    anchorId: undefined,
    failure: undefined,
    generation: 0,
  };
  #isLoading = false;

  constructor(
    readonly terms: readonly Term[],
    private readonly changed: () => void,
  ) {
    this.key = narrowKey(terms);
  }

  get state(): WindowState {
    return this.#state;
  }

  /** Loads from anew, around an anchor. What is shown stays until the answer is there. */
  async open(anchor: WindowAnchor): Promise<void> {
    const generation = this.#state.generation + 1;
    try {
      const answer = await this.#fetch(anchor, PAGE_MESSAGES / 2, PAGE_MESSAGES / 2);
      const isNamed = answer.messages.some(({ id }) => id === answer.anchor);
      const next = answer.messages.find(({ id }) => id >= answer.anchor)?.id;
      this.#set({
        phase: 'ready',
        messages: answer.messages,
        foundOldest: answer.found_oldest,
        foundNewest: answer.found_newest,
        anchorId: anchor === 'newest' ? undefined : isNamed ? answer.anchor : next,
        failure: undefined,
        generation,
      });
    } catch (error) {
      this.#set({ phase: this.#state.phase === 'ready' ? 'ready' : 'failed', failure: reasonOf(error) });
      if (error instanceof ApiFailure && error.kind === 'signed-out') throw error;
    }
  }

  loadOlder(): void {
    const [first] = this.#state.messages;
    if (first !== undefined && !this.#state.foundOldest) void this.#extend(first.id, PAGE_MESSAGES, 0);
  }

  loadNewer(): void {
    const last = this.#state.messages.at(-1);
    if (last !== undefined && !this.#state.foundNewest) void this.#extend(last.id, 0, PAGE_MESSAGES);
  }

  /** Fetches what is shown again, and what came since, after events were missed. */
  async refresh(): Promise<void> {
    const { messages, phase, foundOldest } = this.#state;
    const [first, last] = [messages[0], messages.at(-1)];
    if (phase !== 'ready' || first === undefined || last === undefined) return this.open('newest');
    const count = messages.length;
    const answer = await this.#fetch(last.id, Math.min(count, 1000), PAGE_MESSAGES);
    const from = foundOldest ? 0 : first.id;
    const fresh = answer.messages.filter(({ id }) => id >= from);
    this.#set({ messages: fresh, foundNewest: answer.found_newest, foundOldest: foundOldest || answer.found_oldest });
  }

  append(message: Message): void {
    const { messages, foundNewest, phase } = this.#state;
    if (phase !== 'ready' || !foundNewest || messages.some(({ id }) => id === message.id)) return;
    const index = messages.findLastIndex(({ id }) => id < message.id) + 1;
    this.#set({ messages: messages.toSpliced(index, 0, message) });
  }

  change(ids: ReadonlySet<number>, change: (message: Message) => Message): void {
    const { messages } = this.#state;
    if (messages.some(({ id }) => ids.has(id)))
      this.#set({ messages: messages.map((message) => (ids.has(message.id) ? change(message) : message)) });
  }

  remove(ids: ReadonlySet<number>): void {
    const { messages } = this.#state;
    if (messages.some(({ id }) => ids.has(id))) this.#set({ messages: messages.filter(({ id }) => !ids.has(id)) });
  }

  async #extend(anchor: number, before: number, after: number): Promise<void> {
    if (this.#isLoading) return;
    this.#isLoading = true;
    const { generation } = this.#state;
    try {
      const answer = await this.#fetch(anchor, before, after);
      if (generation !== this.#state.generation) return;
      const known = new Set(this.#state.messages.map(({ id }) => id));
      const added = answer.messages.filter(({ id }) => !known.has(id));
      const messages = before > 0 ? [...added, ...this.#state.messages] : [...this.#state.messages, ...added];
      const isTooMany = messages.length > MESSAGES_MAX;
      this.#set({
        messages: isTooMany ? (before > 0 ? messages.slice(0, MESSAGES_MAX) : messages.slice(-MESSAGES_MAX)) : messages,
        foundOldest: before > 0 ? answer.found_oldest : this.#state.foundOldest && !isTooMany,
        foundNewest: after > 0 ? answer.found_newest : this.#state.foundNewest && !isTooMany,
        failure: undefined,
      });
    } catch (error) {
      this.#set({ failure: reasonOf(error) });
    } finally {
      this.#isLoading = false;
    }
  }

  #fetch(anchor: WindowAnchor, before: number, after: number): Promise<Answer> {
    return call<Answer>('GET', '/messages', {
      anchor,
      num_before: before,
      num_after: after,
      narrow: this.terms,
      client_gravatar: false,
      allow_empty_topic_name: true,
    });
  }

  #set(part: Partial<WindowState>): void {
    this.#state = { ...this.#state, ...part };
    this.changed();
  }
}

/** Whether a message belongs to a narrow; undefined when only the server knows. */
export function matches(terms: readonly Term[], message: Message, meId: number): boolean | undefined {
  let isKnown = true;
  for (const { operator, operand, negated = false } of terms) {
    const one = matchesTerm(operator, operand, message, meId);
    if (one === undefined) isKnown = false;
    else if (one === negated) return false;
  }
  return isKnown ? true : undefined;
}

function matchesTerm(operator: string, operand: Term['operand'], message: Message, meId: number): boolean | undefined {
  switch (operator) {
    case 'channel':
      return typeof operand === 'number' ? message.stream_id === operand : undefined;
    case 'topic':
      return message.type === 'stream' && message.subject.toLowerCase() === String(operand).toLowerCase();
    case 'dm':
      return Array.isArray(operand) ? isBetween(message, operand, meId) : undefined;
    case 'is':
      return matchesState(String(operand), message);
    default:
      return undefined;
  }
}

function isBetween({ display_recipient, type }: Message, ids: readonly number[], meId: number): boolean {
  if (type !== 'private' || typeof display_recipient === 'string') return false;
  const [wanted, found] = [ids, display_recipient.map(({ id }) => id)].map((list) => new Set([...list, meId]));
  return wanted !== undefined && found?.size === wanted.size && [...wanted].every((id) => found.has(id));
}

function matchesState(state: string, { flags, type }: Message): boolean | undefined {
  if (state === 'mentioned') return flags.some((flag) => /^mentioned$|wildcard_mentioned$/.test(flag));
  if (state === 'starred') return flags.includes('starred');
  if (state === 'dm' || state === 'private') return type === 'private';
  return undefined;
}
