import { JsonFields } from './json-fields.js';

const parsed = (fields: JsonFields): unknown =>
  JSON.parse(
    `{${fields
      .pieces()
      .map((piece) => (typeof piece === 'function' ? piece() : piece))
      .map((piece) => (typeof piece === 'string' ? piece : Buffer.from(piece).toString()))
      .join('')}}`,
  );

test('the pieces together are the fields of an object, whatever their values consist of', () => {
  const fields = new JsonFields()
    .addList('none', [])
    .add('a', { b: 1 })
    .addList('texts', ['1', '"two"'])
    .addListBytes('runs', [Buffer.from('1,2'), Buffer.from('3')])
    .addListBytes('noRuns', [])
    .addPieces(['"c":', Buffer.from('"é","d"'), ':null'])
    .addAll({ e: [], f: '"' })
    .addLateList('late', ['1', () => '2', () => '3', '4', '5'])
    .addLateList('latest', [() => '1'])
    .addLateList('neverLate', []);
  expect(parsed(fields)).toEqual({
    none: [],
    a: { b: 1 },
    texts: [1, 'two'],
    runs: [1, 2, 3],
    noRuns: [],
    c: 'é',
    d: null,
    e: [],
    f: '"',
    late: [1, 2, 3, 4, 5],
    latest: [1],
    neverLate: [],
  });
  expect(parsed(new JsonFields())).toEqual({});
});
