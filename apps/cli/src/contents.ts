import { createHash } from 'node:crypto';
import type { BlobStore } from '#blob-store';
import { type RecordedEvent, UnreadableEvent } from '#event-store';
import type { ContentSource } from '#feature';
import { scrollback } from '#runtime';

/** Collects from the log which content there should be in the blob store. */
export class ExpectedContents {
  /** By space, and by owner in it. */
  readonly #spaces = new Map<string, Map<string, readonly string[]>>();
  /** Types of events that only a later release knows: it is not known which content they name. */
  readonly unknown = new Set<string>();

  constructor(private readonly sources: readonly ContentSource[]) {}

  look(event: RecordedEvent): void {
    for (const { space, on } of this.sources) {
      const named = on[event.type]?.(event as never);
      if (named === undefined) continue;
      const owners = this.#spaces.get(space) ?? new Map<string, readonly string[]>();
      this.#spaces.set(space, owners);
      if (named.hashes.length === 0) owners.delete(named.owner);
      else owners.set(named.owner, named.hashes);
    }
  }

  /** What is expected so far, to which other events may be added. */
  copy(): ExpectedContents {
    const copied = new ExpectedContents(this.sources);
    for (const [space, owners] of this.#spaces) copied.#spaces.set(space, new Map(owners));
    for (const type of this.unknown) copied.unknown.add(type);
    return copied;
  }

  /** All of it, each once. */
  *all(): Generator<{ readonly space: string; readonly hash: string }> {
    for (const [space, owners] of this.#spaces)
      for (const hash of new Set([...owners.values()].flat())) yield { space, hash };
  }
}

/** Looks at an event as it is stored, which may have an old shape, or be of a later release. */
export function lookAtStored(event: RecordedEvent, expected: ExpectedContents): void {
  const lifted = lift(event, expected);
  if (lifted === undefined) return;
  const { type, data } = lifted;
  expected.look(type === event.type && data === event.data ? event : { ...event, type, data });
}

function lift(
  { type, data }: RecordedEvent,
  expected: ExpectedContents,
): { readonly type: string; readonly data: unknown } | undefined {
  try {
    return scrollback.registry.lift(type, data);
  } catch (error) {
    if (!(error instanceof UnreadableEvent)) throw error;
    expected.unknown.add(type);
    return undefined;
  }
}

/** What a person is told about events that this release does not know; undefined when there are none. */
export function ofLaterReleases({ unknown }: ExpectedContents): string | undefined {
  if (unknown.size === 0) return undefined;
  const types = [...unknown].toSorted().join(', ');
  return `This release does not know the types ${types}. Their events are copied as they are; files that they name are not.`;
}

/**
 * Reads all content that the log names, and compares it with its hash.
 * @param store undefined when there is none: everything is missing then
 * @param complain is called with a sentence for each piece that is missing or changed
 * @returns the number of pieces that are right
 */
export async function verifyContents(
  expected: ExpectedContents,
  store: BlobStore | undefined,
  complain: (line: string) => void,
): Promise<{ readonly right: number; readonly wrong: number }> {
  let [right, wrong] = [0, 0];
  for (const { space, hash } of expected.all()) {
    const found = store && (await hashIn(store, space, hash));
    if (found === hash) right++;
    else {
      wrong++;
      complain(`The content ${space}/${hash} is ${found === undefined ? 'missing' : 'not what was uploaded'}.`);
    }
  }
  return { right, wrong };
}

/** SHA-256 of a content as it is; undefined when it is missing. */
export async function hashIn(store: BlobStore, space: string, hash: string): Promise<string | undefined> {
  const opened = await store.space(space).open(hash);
  if (opened === undefined) return undefined;
  const found = createHash('sha256');
  for await (const chunk of opened.content) found.update(chunk as Buffer);
  return found.digest('hex');
}
