import { where, type Collection, type FieldsRow, type Find } from '#read-store';
import type { MessageDocument } from '../projections/message.document.js';
import { MessagesReader } from './messages.reader.js';

/** Messages with these sizes, by ID. Records what was read in each turn of the event loop. */
class Recorded {
  readonly turns: { sizes: number; documents: number; bytes: number }[] = [];
  #turn: { sizes: number; documents: number; bytes: number } | undefined;

  constructor(private readonly bytesOf: ReadonlyMap<number, number>) {}

  reader(): MessagesReader {
    return new MessagesReader(this as unknown as Collection<MessageDocument>);
  }

  async findFields({ where: filter, limit }: Find): Promise<readonly FieldsRow[]> {
    const ids = filter?.op === 'in' ? (filter.values as number[]) : [...this.bytesOf.keys()];
    const known = ids.filter((id) => this.bytesOf.has(id)).slice(0, limit);
    this.#inTurn().sizes += known.length;
    return known.map((key) => ({ key, fields: { bytes: this.bytesOf.get(key) ?? 0 } }));
  }

  async getMany(ids: readonly number[]): Promise<Map<number, MessageDocument>> {
    const turn = this.#inTurn();
    turn.documents += ids.length;
    for (const id of ids) turn.bytes += this.bytesOf.get(id) ?? 0;
    return new Map(ids.map((id) => [id, { content: String(id) } as MessageDocument]));
  }

  #inTurn() {
    if (this.#turn !== undefined) return this.#turn;
    const turn = { sizes: 0, documents: 0, bytes: 0 };
    this.turns.push((this.#turn = turn));
    const end = (): void => {
      if (this.#turn === turn) this.#turn = undefined;
    };
    // Work goes on in either, whichever comes first.
    setImmediate(end);
    setTimeout(end, 1);
    return turn;
  }
}

const ids = (count: number, first = 1) => Array.from({ length: count }, (_, index) => first + index);
const small = (count: number) => new Map(ids(count).map((id) => [id, 500]));

describe.each<[string, Map<number, number>]>([
  ['small messages', small(3_000)],
  ['large messages', new Map(ids(300).map((id) => [id, 40_000]))],
  ['messages of all sizes', new Map(ids(3_000).map((id) => [id, id % 50 === 0 ? 90_000 : id]))],
])('%s', (_, bytes) => {
  test('are all read, a few in each turn of the event loop', async () => {
    const recorded = new Recorded(bytes);
    const found = await recorded.reader().getMany([...bytes.keys()]);
    expect([...found.keys()]).toEqual([...bytes.keys()]);
    expect([...found].every(([id, { content }]) => content === String(id))).toBe(true);
    for (const turn of recorded.turns) {
      expect(turn.documents).toBeLessThanOrEqual(250);
      expect(turn.sizes).toBeLessThanOrEqual(250);
      expect(turn.bytes).toBeLessThanOrEqual(300_000);
    }
  });

  test('are read page by page without a gap', async () => {
    const reader = new Recorded(bytes).reader();
    const seen: number[] = [];
    for (let from = 0; from < bytes.size;) {
      const { rows, taken } = await reader.pageOf([...bytes.keys()].slice(from));
      seen.push(...rows.map(({ id }) => id));
      from += taken;
    }
    expect(seen).toEqual([...bytes.keys()]);
  });

  test('of a filter say how far the page reaches', async () => {
    const { rows, reached, isLast } = await new Recorded(bytes)
      .reader()
      .page(where.eq('senderId', 1), 'ascending', 700);
    expect(rows.map(({ id }) => id)).toEqual(ids(rows.length));
    expect(reached).toBe(rows.length);
    expect(isLast).toBe(rows.length === bytes.size);
  });
});

test('a message that alone is too large for a turn is read, too', async () => {
  const recorded = new Recorded(new Map([[1, 2_000_000], ...ids(30, 2).map((id) => [id, 2_000_000] as const)]));
  expect((await recorded.reader().getMany(ids(31))).size).toBe(31);
  for (const { documents } of recorded.turns) expect(documents).toBe(1);
});

test('missing messages are passed over', async () => {
  const { rows, taken } = await new Recorded(small(100)).reader().pageOf(ids(400, 50));
  expect([rows.map(({ id }) => id), taken]).toEqual([ids(51, 50), 400]);
  const none = await new Recorded(new Map()).reader().pageOf(ids(400));
  expect(none).toEqual({ rows: [], taken: 400 });
});
