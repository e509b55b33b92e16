import { type AsyncConnection, openAsyncConnection, rowsOf } from './async-connection.js';

let connection: AsyncConnection;

beforeEach(async () => {
  connection = openAsyncConnection(':memory:');
  await connection.exec(
    "CREATE TABLE words (id INTEGER PRIMARY KEY, word TEXT); INSERT INTO words VALUES (1, 'a'), (2, 'b')",
  );
});
afterEach(() => {
  connection.close();
});

test('the rows of queries in a row are told', async () => {
  expect(await rowsOf(connection, 'SELECT id, word FROM words ORDER BY id DESC')).toEqual([
    [2, 'b'],
    [1, 'a'],
  ]);
  await expect(rowsOf(connection, 'SELECT id FROM missing')).rejects.toThrow('no such table');
  expect(await rowsOf(connection, 'SELECT COUNT(*) FROM words')).toEqual([[2]]);
});

test('the event loop steps through nothing but the rows that are found', async () => {
  const stepped = jest.spyOn(connection, 'prepare');
  await rowsOf(connection, 'SELECT COUNT(*) FROM words');
  expect(stepped.mock.calls).toEqual([['SELECT * FROM temp.answer']]);
});

test('the event loop goes on while the first row is looked for', async () => {
  let turns = 0;
  let turning = setImmediate(function turn() {
    turns++;
    turning = setImmediate(turn);
  });
  const numbers = 'WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 300000) SELECT x FROM n';
  const rows = await (await connection.prepare(`SELECT COUNT(*) FROM (${numbers})`)).raw().all([]);
  clearImmediate(turning);
  expect([rows, turns > 20]).toEqual([[[300_000]], true]);
});
