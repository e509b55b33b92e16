import fc from 'fast-check';
import { BSON } from 'mongodb';
import { rounds } from '#testing';
import type { CollectionSchema } from '../read-store.js';
import { decodeDocument, encodeDocument, encodeName } from './document-codec.js';
import type { Content } from './document-codec.js';

const schema = {
  name: 'notes',
  key: 'integer',
  fields: { channel: 'integer', 'odd.name': 'integer' },
  indexes: [],
  many: { words: 'text' },
} as const satisfies CollectionSchema;

/** The document as the server returns it: through BSON. */
const stored = (doc: object): Content => BSON.deserialize(BSON.serialize(encodeDocument(schema, doc)));
const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '',
    '~',
    '$',
    '.',
    '$set',
    'a.b',
    '~x',
    '%002e',
    '_bsontype',
    '__proto__',
    'toBSON',
    '\ud800',
    'a\0b',
  ),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.double(),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constantFrom(null, undefined, new Date(5)),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));

describe('a document in MongoDB', () => {
  test('is decoded as JSON would be, for any names and values', () => {
    fc.assert(
      fc.property(fc.dictionary(text, value, { maxKeys: 5 }), (doc) => {
        // Compared as printed text, which also shows the order of names.
        expect(JSON.stringify(decodeDocument(stored(doc)))).toBe(JSON.stringify(json(doc)));
      }),
      { numRuns: rounds(500) },
    );
  });

  test('is stored as it is when nothing about it is special', () => {
    const doc = { channel: 3, content: 'a.b $c ~d', nested: { list: [1, { a: null }] } };
    expect(encodeDocument(schema, doc)).toEqual({ d: doc });
  });

  test('holds no name that a server takes for something else', () => {
    fc.assert(
      fc.property(text, text, (one, other) => {
        const [name, otherName] = [encodeName(one), encodeName(other)];
        expect(name).not.toMatch(/^\$|[.\0]|^$/);
        expect(name === otherName).toBe(one === other);
      }),
    );
  });

  test('counts booleans of declared fields as numbers, and gives them back', () => {
    const doc = { channel: true, 'odd.name': false, other: true };
    const content = stored(doc);
    expect(content.d).toEqual({ channel: 1, [encodeName('odd.name')]: 0, other: true });
    expect(decodeDocument(content)).toEqual(doc);
  });

  test('keeps numbers beyond 32 bits as numbers', () => {
    const doc = { a: 2 ** 31, b: -(2 ** 40), c: Number.MAX_SAFE_INTEGER, d: 0.1, e: Number.NaN, f: -0 };
    expect(decodeDocument(stored(doc))).toStrictEqual({ ...doc, e: null, f: 0 });
  });

  test.each([[{ channel: '1' }], [{ channel: [1] }], [{ words: 'a' }], [{ words: [1] }], [{ x: 1n }]])(
    'is refused with a value of another type: %p',
    (doc) => {
      expect(() => encodeDocument(schema, doc)).toThrow(TypeError);
    },
  );
});
