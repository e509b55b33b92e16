import { Type } from 'typebox';
import { credential, hasCredentials, withoutCredentials } from './credentials.js';
import { EventRegistry, eventType, exactly } from './registry.js';

const secret = credential(Type.String());

test.each<[string, Parameters<typeof withoutCredentials>[0], unknown, unknown]>([
  ['an optional one', exactly({ a: Type.String(), b: Type.Optional(secret) }), { a: 'x', b: 'y' }, { a: 'x' }],
  ['one that is absent', exactly({ b: Type.Optional(secret) }), {}, {}],
  ['one that is needed', exactly({ b: secret }), { b: 'abc' }, { b: '000' }],
  ['one within', exactly({ a: Type.Optional(exactly({ b: secret })) }), { a: { b: 'abc' } }, { a: { b: '000' } }],
  ['one in a list', Type.Array(exactly({ b: secret })), [{ b: 'a' }, { b: 'bc' }], [{ b: '0' }, { b: '00' }]],
  ['one of several shapes', Type.Union([Type.Null(), exactly({ b: secret })]), { b: 'a' }, { b: '0' }],
  ['no shape with one', Type.Union([Type.Null(), exactly({ b: secret })]), null, null],
  ['values by name', Type.Record(Type.String(), secret), { a: 'x' }, { a: '0' }],
  [
    'all values by name',
    exactly({ a: Type.Optional(credential(Type.Record(Type.String(), Type.String()))) }),
    { a: { b: 'x' } },
    {},
  ],
  ['none', exactly({ a: Type.String() }), { a: 'x' }, { a: 'x' }],
])('%s', (_, schema, value, expected) => {
  expect(withoutCredentials(schema, value)).toEqual(expected);
});

test('a marked schema checks as before, and the registry knows the mark', () => {
  const registry = new EventRegistry([
    eventType('a.v1', exactly({ b: Type.Optional(credential(Type.String({ minLength: 2 }))) })),
  ]);
  expect(() => registry.check('a.v1', { b: 'x' })).toThrow('b');
  registry.check('a.v1', {});
  expect(registry.withoutCredentials('a.v1', { b: 'xy' })).toEqual({});
  expect(() => registry.withoutCredentials('b.v1', {})).toThrow('not registered');
  expect(hasCredentials(exactly({ b: Type.String() }))).toBe(false);
});
