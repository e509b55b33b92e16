import { Type } from 'typebox';
import { type RecordedEvent, streams } from '#event-store';
import { directoryBook, directoryValue, type Handlers } from './directory-part.js';
import { DirectoryParts } from './directory-parts.js';
import { organizationEvent } from './organization-event.js';

const lampLit = organizationEvent('lamp.lit.v1', Type.Object({ lampId: Type.Integer() }));
const lampsPutOut = organizationEvent('lamps.put-out.v1', Type.Object({}));

/** IDs of lit lamps. */
const lampsPart = directoryValue({
  name: 'lamps',
  events: [lampLit, lampsPutOut],
  initial: [] as readonly number[],
  evolve: (lit, event) => (event.type === 'lamp.lit.v1' ? [...lit, event.data.lampId] : []),
});

/** Remembers how many lamps were lit after each event, and the newest message before it. */
class Watch {
  readonly seen: string[] = [];

  constructor(private readonly lit: () => readonly number[]) {}

  readonly on: Handlers<{ readonly type: 'lamp.lit.v1' | 'lamps.put-out.v1'; readonly data: object }> = {
    'lamp.lit.v1': (_event, { position, lastMessageId }) => {
      this.seen.push(`${this.lit().length} at ${position}, after ${lastMessageId}`);
    },
    'lamps.put-out.v1': (_event, { position }) => {
      this.seen.push(`${this.lit().length} at ${position}`);
    },
  };

  snapshot(): unknown {
    return this.seen;
  }

  restore(seen: readonly string[] = []): void {
    this.seen.push(...seen);
  }
}

const watchPart = directoryBook({
  name: 'watch',
  events: [],
  needs: [lampsPart],
  open: (of) => new Watch(() => of(lampsPart)),
});

const lit = (lampId: number) => ({ type: 'lamp.lit.v1', data: { lampId } });
const recorded = (event: object, position: number, stream: string = streams.organization): RecordedEvent =>
  ({ ...event, stream, position, revision: position * 10 }) as unknown as RecordedEvent;

test('an event reaches each part that handles it, and a part after those that it needs', () => {
  const directory = new DirectoryParts([watchPart, lampsPart]);
  expect(directory.parts).toEqual([lampsPart, watchPart]);
  directory.evolve(lit(7), 1);
  directory.evolve(lit(9), 2);
  directory.evolve({ type: 'lamps.put-out.v1', data: {} }, 3);
  expect(directory.of(watchPart).seen).toEqual(['1 at 1, after 0', '2 at 2, after 0', '0 at 3']);
});

test('a part brings those that it needs, and no other can be reached', () => {
  expect(new DirectoryParts([watchPart]).of(lampsPart)).toEqual([]);
  expect(() => new DirectoryParts([lampsPart]).of(watchPart)).toThrow('has no part watch');
});

test('two parts of one name are refused', () => {
  const other = directoryValue({ name: 'lamps', events: [], initial: 0, evolve: (count) => count });
  expect(() => new DirectoryParts([lampsPart, other])).toThrow('two parts with the name lamps');
});

test('events of all streams count, and those of other streams may be nobody’s', () => {
  const directory = new DirectoryParts([watchPart]);
  const heard: number[] = [];
  const stop = directory.listen(({ position }) => heard.push(position));
  directory.apply(recorded({ type: 'message.sent.v1', data: {} }, 4, streams.messages));
  directory.apply(recorded(lit(7), 5));
  directory.apply(recorded({ type: 'draft.kept.v1', data: {} }, 6, '1.plans-7'));
  stop();
  directory.apply(recorded(lit(8), 7, '1.user-7'));
  expect([directory.position, directory.revision, directory.lastMessageId]).toEqual([7, 50, 41]);
  expect(directory.of(watchPart).seen).toEqual(['1 at 5, after 41', '2 at 7, after 41']);
  expect(heard).toEqual([4, 5, 6]);
});

test('an event of the organization that no part handles stops it', () => {
  const directory = new DirectoryParts([lampsPart]);
  const event = recorded({ type: 'lamp.broken.v1', data: {} }, 1);
  expect(directory.handles('lamp.broken.v1')).toBe(false);
  expect(() => {
    directory.apply(event);
  }).toThrow('No part of the directory handles events of type lamp.broken.v1');
});

test('a snapshot restores all parts, also one from before there was a part', () => {
  const directory = new DirectoryParts([watchPart]);
  directory.apply(recorded(lit(7), 5));
  const snapshot = JSON.parse(JSON.stringify(directory.snapshot()));
  expect(snapshot).toEqual({
    version: 1,
    position: 5,
    revision: 50,
    lastMessageId: 0,
    lamps: [7],
    watch: ['1 at 5, after 0'],
  });
  const restored = new DirectoryParts([watchPart]);
  restored.restore(snapshot);
  expect(restored.snapshot()).toEqual(snapshot);
  const { lamps: _, ...older } = snapshot;
  const empty = new DirectoryParts([watchPart]);
  empty.restore(older);
  expect([empty.of(lampsPart), empty.of(watchPart).seen]).toEqual([[], ['1 at 5, after 0']]);
});

test('a part without a handler for an event of its own does not compile', () => {
  directoryBook({
    name: 'lamps',
    events: [lampLit, lampsPutOut],
    // @ts-expect-error: lamps.put-out.v1 has no handler
    open: () => ({ on: { 'lamp.lit.v1': () => undefined }, snapshot: () => null, restore: () => undefined }),
  });
});
