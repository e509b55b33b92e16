import fc from 'fast-check';
import { type SeenRow, SeenRows, type UserPlace } from './seen-rows.js';

const PLACES: readonly UserPlace[] = Array.from({ length: 5 }, (_, index) => ({
  index,
  conversation: `c:${index}`,
  topicKey: '',
  topic: '',
  channelId: index,
  participants: [],
  isMuted: false,
  isListed: true,
  isReadable: true,
  spans: [],
}));

const anyRows: fc.Arbitrary<readonly SeenRow[]> = fc
  .uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 100_000 }),
      senderId: fc.integer({ min: 1, max: 9 }),
      place: fc.constantFrom(...PLACES),
      traits: fc.option(fc.record({ mentions: fc.constant([7]) }), { nil: undefined, freq: 5 }),
    }),
    { selector: ({ id }) => id, maxLength: 300 },
  )
  .map((rows) => rows.sort((a, b) => b.id - a.id));

describe('rows in columns', () => {
  const columnsOf = (rows: readonly SeenRow[]): SeenRows => {
    const columns = new SeenRows(PLACES);
    for (const row of rows)
      if (row.traits === undefined) columns.add(row.id, row.senderId, row.place.index);
      else columns.addRow(row);
    return columns;
  };

  const expectSame = (columns: SeenRows, rows: readonly SeenRow[]): void => {
    expect([...columns]).toEqual(rows);
    expect([columns.length, columns.ids()]).toEqual([rows.length, rows.map(({ id }) => id)]);
    const special = [...columns.special].map(({ id }) => id).sort((a, b) => a - b);
    const expected = rows.filter(({ traits }) => traits !== undefined).map(({ id }) => id);
    expect(special).toEqual(expected.sort((a, b) => a - b));
    const lists = new Map<UserPlace, number[]>();
    for (const { place, id } of rows) lists.set(place, [...(lists.get(place) ?? []), id]);
    expect(new Map(columns.byPlace().map(({ place, ids }) => [place, ids]))).toEqual(lists);
  };

  test('are the rows that were added, cut, turned and chosen', () => {
    fc.assert(
      fc.property(anyRows, fc.nat(300), fc.integer({ min: 1, max: 9 }), (rows, length, sender) => {
        const columns = columnsOf(rows);
        expectSame(columns, rows);
        columns.cutAt(length);
        const kept = rows.slice(0, length);
        expectSame(columns, kept);
        columns.reverse();
        expectSame(columns, [...kept].reverse());
        const isChosen = ({ senderId }: SeenRow): boolean => senderId === sender;
        expectSame(columns.filter(isChosen), [...kept].reverse().filter(isChosen));
        columns.addRow({ id: 100_001, senderId: 1, place: PLACES[0]!, traits: undefined });
        expect(columns.ids().at(-1)).toBe(100_001);
      }),
    );
  });
});
