import fc from 'fast-check';
import { rounds } from '#testing';
import { FeedCatalogue } from '../log/feed-catalogue.js';
import {
  ClientEvents,
  EVENTS_PER_POSITION,
  type FeedEntry,
  type Presentable,
  type Recipient,
} from '../log/feed-entry.js';
import { Presenter } from './presenter.js';

/**
 * `list` and `map` are whole states, of which one does not concern every recipient; `step` is a change. A state is told as of delivery, or
 * as of then where its kind ends with `+`.
 */
class ListEvents extends ClientEvents {
  override readonly on = {};
  override readonly types = new Set(['list', 'map', 'step']);
  /** Position up to which things have happened. */
  now = 0;
  presented = 0;

  override wholeState({ type }: FeedEntry) {
    return type === 'step' ? undefined : { name: type, told: type === 'map' ? ('first' as const) : ('last' as const) };
  }

  override present({ position, entry: { type, body } }: Presentable<{ state?: number[] }>, { user }: Recipient) {
    if (type === 'list' && user.userId !== 1) return [];
    this.presented++;
    return [type === 'step' ? { type, at: position } : { type, asOf: body.state?.[0] ?? this.now }];
  }
}

const everyone = { to: 'everyone' } as const;
const entriesOf = (kinds: readonly string[][]): Presentable[] =>
  kinds.flatMap((types, index) =>
    types.map((kind) => {
      const body = kind.endsWith('+') ? { state: [index + 1] } : {};
      return { position: index + 1, entry: { type: kind.replace('+', ''), audience: everyone, body } };
    }),
  );

let events: ListEvents;
let presenter: Presenter;
beforeEach(() => {
  events = new ListEvents();
  presenter = new Presenter(new FeedCatalogue([events]));
});
const recipient = (userId: number): Recipient => ({ user: { userId } }) as Recipient;
const told = (entries: readonly Presentable[], afterId = -1, userId = 1): any[] =>
  presenter.present(entries, recipient(userId), new Map(), afterId).texts.map((text) => JSON.parse(text));

test('an answer tells a state once, however often it has changed', () => {
  events.now = 1200;
  const lists = told(entriesOf(Array.from({ length: 1200 }, () => ['list', 'map'])));
  expect(lists).toEqual([
    { type: 'map', asOf: 1200, id: EVENTS_PER_POSITION + 1 },
    { type: 'list', asOf: 1200, id: 1200 * EVENTS_PER_POSITION },
    { type: 'heartbeat', id: 1200 * EVENTS_PER_POSITION + 1 },
  ]);
  expect(events.presented).toBe(2);
});

test('an answer tells each state of then, unless one of them is told as of delivery', () => {
  events.now = 3;
  const asOf = (kinds: string[]): number[] => told(entriesOf(kinds.map((kind) => [kind]))).map((event) => event.asOf);
  expect(asOf(['list+', 'list+', 'list+'])).toEqual([1, 2, 3]);
  expect(asOf(['map+', 'map+', 'map+'])).toEqual([1, 2, 3]);
  expect(asOf(['list+', 'list', 'list+'])).toEqual([3]);
  expect(asOf(['map+', 'map', 'map+']).slice(0, 2)).toEqual([1, 3]);
});

test('a client that asks until nothing is left is told a state once', () => {
  const log = entriesOf(Array.from({ length: 1200 }, () => ['map']));
  const all: any[] = [];
  for (let ackedId = -1; ;) {
    const answer = told(
      log.filter(({ position }) => position * EVENTS_PER_POSITION >= ackedId - EVENTS_PER_POSITION),
      ackedId,
    );
    if (answer.length === 0) break;
    all.push(...answer);
    ackedId = answer.at(-1).id;
  }
  expect(all.map(({ type }) => type)).toEqual(['map', 'heartbeat']);
});

test('the IDs of other events do not depend on what is left out', () => {
  const kinds = [
    ['list', 'step'],
    ['map', 'step'],
    ['map', 'list', 'step'],
  ];
  const idsOf = (list: any[]): number[] => list.filter(({ type }) => type === 'step').map(({ id }) => id);
  const ids = [1, 2, 3].map((position) => position * EVENTS_PER_POSITION + (position === 3 ? 2 : 1));
  expect(idsOf(told(entriesOf(kinds)))).toEqual(ids);
  expect(idsOf(told(entriesOf(kinds), -1, 2))).toEqual(ids);
  expect(
    kinds.flatMap((_, index) => idsOf(told(entriesOf(kinds).filter(({ position }) => position === index + 1)))),
  ).toEqual(ids);
});

test('a client knows every state and every change, wherever answers end', () => {
  const kind = fc.uniqueArray(fc.constantFrom('list', 'map', 'list+', 'map+', 'step'), {
    maxLength: 3,
    selector: (one) => one.replace('+', ''),
  });
  const step = fc.record({ kinds: fc.array(kind, { minLength: 1, maxLength: 8 }), read: fc.nat() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), fc.constantFrom(1, 2), (steps, userId) => {
      const log: string[][] = [];
      const seen: number[] = [];
      const asOf: Record<string, number> = { list: 0, map: 0 };
      let ackedId = -1;
      // The client keeps as many events of an answer as it got to read, and asks for the rest.
      const poll = (kept: number): void => {
        const wanted = entriesOf(log).filter(({ position }) => position >= Math.floor(ackedId / EVENTS_PER_POSITION));
        for (const event of told(wanted, ackedId, userId).slice(0, kept)) {
          if (event.type === 'step') seen.push(event.at);
          else asOf[event.type] = event.asOf;
          ackedId = event.id;
        }
      };
      for (const { kinds, read } of steps) {
        log.push(...kinds);
        events.now = log.length;
        poll(read % 4);
      }
      poll(Infinity);
      expect(seen).toEqual(log.flatMap((types, index) => (types.includes('step') ? [index + 1] : [])));
      for (const type of userId === 1 ? ['list', 'map'] : ['map'])
        expect(asOf[type]).toBeGreaterThanOrEqual(
          log.findLastIndex((types) => types.includes(type) || types.includes(`${type}+`)) + 1,
        );
    }),
    { numRuns: rounds(300) },
  );
});
