import { type RecordedEvent, streams } from '#event-store';
import type { DirectoryPart, Handler, LogPoint, PartState } from './directory-part.js';

/** Snapshot of the directory as plain JSON, with a field for each part that has something to say. */
export interface DirectorySnapshot {
  readonly version: 1;
  readonly position: number;
  readonly revision: number;
  readonly lastMessageId: number;
  readonly [part: string]: unknown;
}

/**
 * State in memory that is folded from the log, in parts. Records are replaced, never mutated, so a reader may keep one.
 * Several parts may handle the same event: in the order of the list, and each after the parts that it needs.
 */
export class DirectoryParts {
  /** Position of the last applied event, of any stream. */
  position = 0;
  /** The stream that `revision` belongs to. */
  readonly stream = streams.organization;
  /** Revision of the last applied event of the `organization` stream; -1 before the first. */
  revision = -1;
  /** ID of the newest message sent so far; 0 before the first. */
  lastMessageId = 0;
  /** In the order in which they handle an event. */
  readonly parts: readonly DirectoryPart[];

  /** By the index of their parts. */
  readonly #states: (PartState | undefined)[] = [];
  /** By event type: the handler of its part, or of all parts that handle it, in order. */
  readonly #handlers = new Map<string, Handler>();
  readonly #listeners = new Set<(event: RecordedEvent) => void>();

  /** @throws Error when two parts have the same name */
  constructor(parts: readonly DirectoryPart[]) {
    this.parts = withNeeds(parts);
    for (const part of this.parts) {
      const state = part.open((other) => this.of(other));
      this.#states[part.index] = state;
      for (const [type, handler] of Object.entries(state.on)) {
        const before = this.#handlers.get(type);
        this.#handlers.set(type, before === undefined ? handler : inTurn(before, handler));
      }
    }
  }

  /**
   * State of the part. A value is as of now; a book stays the same.
   * @throws Error when the directory was made without the part
   */
  of<State>(part: DirectoryPart<State>): State {
    const state = this.#states[part.index];
    if (state === undefined)
      throw new Error(`The directory has no part ${part.name}: its feature's manifest names it.`);
    return state.current as State;
  }

  /** What the directory holds of what an event changes, as the part says whose event it is. */
  earlier({ type, data }: { readonly type: string; readonly data: object }): object | undefined {
    for (const part of this.parts) {
      const earlier = part.earlier[type];
      if (earlier !== undefined) return earlier(this.of(part) as never, data as never);
    }
    return undefined;
  }

  /** Whether a part handles events of this type. */
  handles(type: string): boolean {
    return this.#handlers.has(type);
  }

  /** Types of the events that parts handle. */
  get handledTypes(): readonly string[] {
    return [...this.#handlers.keys()];
  }

  /** Applies the next event of the log, of any stream. */
  apply(event: RecordedEvent): void {
    const { type, stream, revision, position } = event;
    if (stream === streams.organization) {
      this.evolve(event, position);
      this.revision = revision;
    } else {
      if (stream === streams.messages) this.lastMessageId = revision + 1;
      this.#handlers.get(type)?.(event, this.#pointAt(position));
    }
    this.position = position;
    for (const listener of this.#listeners) listener(event);
  }

  /**
   * Folds an event at this position of the log.
   * @throws Error for an event that no part handles
   */
  evolve(event: Parameters<Handler>[0], position: number): void {
    const handler = this.#handlers.get(event.type);
    if (handler === undefined) throw new Error(`No part of the directory handles events of type ${event.type}.`);
    handler(event, this.#pointAt(position));
  }

  /**
   * Calls the listener after each applied event, of any stream.
   * @returns a function that unsubscribes
   */
  listen(listener: (event: RecordedEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  snapshot(): DirectorySnapshot {
    const { position, revision, lastMessageId } = this;
    const saved = this.parts.map((part) => [part.name, this.#stateOf(part).snapshot()] as const);
    return {
      version: 1,
      position,
      revision,
      lastMessageId,
      ...Object.fromEntries(saved.filter(([, one]) => one !== undefined)),
    };
  }

  /** Fills an empty directory from a snapshot. */
  restore(snapshot: DirectorySnapshot): void {
    this.position = snapshot.position;
    this.revision = snapshot.revision;
    this.lastMessageId = snapshot.lastMessageId;
    for (const part of this.parts) this.#stateOf(part).restore(snapshot[part.name]);
  }

  #pointAt(position: number): LogPoint {
    return { position, lastMessageId: this.lastMessageId };
  }

  #stateOf({ index }: DirectoryPart): PartState {
    return this.#states[index] as PartState;
  }
}

function inTurn(first: Handler, second: Handler): Handler {
  return (event, at) => {
    first(event, at);
    second(event, at);
  };
}

/** The parts and those that they need, each once and after what it needs. */
function withNeeds(parts: readonly DirectoryPart[]): readonly DirectoryPart[] {
  const ordered = new Map<string, DirectoryPart>();
  const add = (part: DirectoryPart): void => {
    const known = ordered.get(part.name);
    if (known === part) return;
    if (known !== undefined) throw new Error(`The directory has two parts with the name ${part.name}.`);
    part.needs.forEach(add);
    ordered.set(part.name, part);
  };
  parts.forEach(add);
  return [...ordered.values()];
}
