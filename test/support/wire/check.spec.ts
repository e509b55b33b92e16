import { COMPONENTS } from '#wire';
import { complaintsOf } from './check.js';

const components = {
  Tree: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string' }, under: { type: 'array', items: { $ref: `${COMPONENTS}Tree` } } },
  },
};
const schema = {
  type: 'object',
  required: ['id', 'kind'],
  properties: {
    id: { type: 'integer' },
    kind: { const: 'a' },
    word: { type: 'string', enum: ['one', 'two'] },
    pair: { type: 'array', prefixItems: [{ type: 'number' }, { type: 'boolean' }] },
    either: { anyOf: [{ type: 'null' }, { type: 'object', properties: { n: { type: 'number' } } }] },
    byName: { type: 'object', patternProperties: { '^.*$': { type: 'string' } } },
    closed: { type: 'object', additionalProperties: false },
    tree: { $ref: `${COMPONENTS}Tree` },
    any: {},
  },
};
const good = {
  id: 1,
  kind: 'a',
  word: 'two',
  pair: [1.5, true],
  either: { n: 1 },
  byName: { x: 'y' },
  closed: {},
  tree: { name: 'a', under: [{ name: 'b', under: [] }] },
  any: { of: ['them'] },
};

test('what is as the schema says has no complaints', () => {
  expect(complaintsOf(schema, good, 'it', components)).toEqual([]);
  expect(complaintsOf(schema, { id: 1, kind: 'a', either: null }, 'it', components)).toEqual([]);
});

test.each([
  ['it.id is missing', { id: undefined }],
  ['it.kind: "b" is not "a"', { kind: 'b' }],
  ['it.word: "six" is none of "one", "two"', { word: 'six' }],
  ['it.id: 1.5 is no integer', { id: 1.5 }],
  ['it.pair: [1] has another length', { pair: [1] }],
  ['it.pair[1]: 2 is no boolean', { pair: [1, 2] }],
  ['it.either: "x" is no null', { either: 'x' }],
  ['it.either: {"n":"x"} is no null', { either: { n: 'x' } }],
  ['it.byName{}: 1 is no string', { byName: { x: 1 } }],
  ['it.closed.x is foreign', { closed: { x: 1 } }],
  ['it.tree.under[].under[].name is missing', { tree: { name: 'a', under: [{ name: 'b', under: [{}] }] } }],
  ['it.other is foreign', { other: 1 }],
])('%s', (complaint, change) => {
  const wrong = JSON.parse(JSON.stringify({ ...good, ...change })) as unknown;
  expect(complaintsOf(schema, wrong, 'it', components)).toContain(complaint);
});
