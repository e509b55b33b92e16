import { exact, integer, list, optional, text } from './schema.js';
import { type EventSchemas, unionOfEvents, type WireEvent } from './event-schemas.js';

const schemas = {
  'thing/add': { thing_id: integer, name: optional(text) },
  'thing/remove': [{ thing_id: integer }, { thing_ids: list(integer), kind: exact('many') }] as const,
  restart: { generation: integer },
} satisfies EventSchemas;

type Told = WireEvent<typeof schemas>;

// The compiler is the test.
test('a client event that the schemas do not have does not compile', () => {
  const right: readonly Told[] = [
    { type: 'thing', op: 'add', thing_id: 1 },
    { type: 'thing', op: 'remove', thing_ids: [1], kind: 'many' },
    { type: 'restart', generation: 2 },
  ];
  const wrong: readonly Told[] = [
    // @ts-expect-error -- a field of another level
    { type: 'thing', op: 'add', thing_id: 1, title: 'one' },
    // @ts-expect-error -- a field is missing
    { type: 'thing', op: 'add' },
    // @ts-expect-error -- a field of another type
    { type: 'restart', generation: '2' },
    // @ts-expect-error -- an op that there is not
    { type: 'thing', op: 'update', thing_id: 1 },
    // @ts-expect-error -- a type that there is not
    { type: 'things', op: 'add', thing_id: 1 },
  ];
  expect([right.length, wrong.length]).toEqual([3, 5]);
  expect(Object.keys(unionOfEvents(schemas))).toContain('anyOf');
});
