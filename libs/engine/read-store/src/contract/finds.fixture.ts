import fc from 'fast-check';
import { where } from '../read-store.js';
import type { Filter, Find, Key } from '../read-store.js';
import type { Doc } from './store.contract.js';

const smallInteger = fc.integer({ min: 0, max: 5 });
const smallText = fc.constantFrom('', 'a', 'b', 'B', 'é', '\uffee', '\u{1f600}');
const orNull = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value, { nil: null });

export const documents = fc
  .array(
    fc.tuple(
      fc.integer({ min: -5, max: 40 }),
      fc.record(
        {
          channel: orNull(smallInteger),
          topic: orNull(smallText),
          sender: orNull(smallInteger),
          colour: orNull(smallText),
          mentions: fc.array(smallInteger, { maxLength: 4 }),
          words: fc.array(smallText, { maxLength: 4 }),
        },
        { requiredKeys: [], noNullPrototype: true },
      ),
    ),
    { maxLength: 30 },
  )
  .map((pairs) => new Map<Key, Doc>(pairs));

const scalars: Readonly<Record<string, fc.Arbitrary<string | number>>> = {
  $key: fc.integer({ min: -5, max: 40 }),
  channel: smallInteger,
  topic: smallText,
  sender: smallInteger,
  colour: smallText,
};

const leaves: fc.Arbitrary<Filter> = fc.oneof(
  ...Object.entries(scalars).flatMap(([field, value]) => [
    (field === '$key' ? value : orNull(value)).map((wanted) => where.eq(field, wanted)),
    fc.array(field === '$key' ? value : orNull(value), { maxLength: 4 }).map((values) => where.in(field, values)),
    fc
      .record({ gt: value, gte: value, lt: value, lte: value }, { requiredKeys: [] })
      .map((bounds) => where.range(field, bounds)),
  ]),
  smallInteger.map((value) => where.contains('mentions', value)),
  smallText.map((value) => where.contains('words', value)),
);

const { filter: filters } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    fc.array(tie('filter'), { maxLength: 3 }).map((terms) => where.and(...terms)),
    fc.array(tie('filter'), { maxLength: 3 }).map((terms) => where.or(...terms)),
    tie('filter').map((term) => where.not(term)),
  ),
}));

export const essayDocuments = fc
  .array(
    fc.tuple(
      fc.integer({ min: 0, max: 40 }),
      fc.record(
        { channel: smallInteger, mentions: fc.array(smallInteger, { maxLength: 3 }), said: fc.array(smallText) },
        { requiredKeys: [], noNullPrototype: true },
      ),
    ),
    { maxLength: 25 },
  )
  .map((pairs) => new Map<Key, Doc>(pairs));

const essayLeaves: fc.Arbitrary<Filter> = fc.oneof(
  { arbitrary: smallText.map((value) => where.contains('word', value)), weight: 4 },
  smallInteger.map((value) => where.contains('mentions', value)),
  smallInteger.map((value) => where.eq('channel', value)),
  fc.array(smallInteger, { maxLength: 3 }).map((values) => where.in('channel', values)),
  fc.integer({ min: 0, max: 40 }).map((bound) => where.range('$key', { lt: bound })),
);

const { filter: essayFilters } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    essayLeaves,
    fc.array(tie('filter'), { maxLength: 3 }).map((terms) => where.and(...terms)),
    fc.array(tie('filter'), { maxLength: 3 }).map((terms) => where.or(...terms)),
    tie('filter').map((term) => where.not(term)),
  ),
}));

export const essayFinds: fc.Arbitrary<Find> = fc.record(
  {
    where: essayFilters,
    sort: fc
      .constantFrom('ascending' as const, 'descending' as const)
      .map((direction) => [{ field: '$key', direction }]),
    limit: fc.integer({ min: 0, max: 20 }),
  },
  { requiredKeys: ['limit'] },
);

const sorts = fc.array(
  fc.record({
    field: fc.constantFrom('$key', 'channel', 'topic', 'sender'),
    direction: fc.constantFrom('ascending' as const, 'descending' as const),
  }),
  { maxLength: 2 },
);

export const finds: fc.Arbitrary<Find> = fc.record(
  { where: filters, sort: sorts, limit: fc.integer({ min: 0, max: 20 }) },
  { requiredKeys: ['limit'] },
);
