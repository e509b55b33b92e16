import { BSON } from 'mongodb';
import { refusal, type ErrorName } from './errors.js';
import { answerTo, Framer, Reply, Request } from './wire.js';

/** A command as the driver sends it: OP_MSG, with a sequence of documents before or behind the body. */
function message(body: BSON.Document, sequence: 'none' | 'before' | 'behind' = 'none'): Buffer {
  const inner = Buffer.concat([Buffer.from('documents\0'), BSON.serialize({ _id: 1 })]);
  const length = Buffer.alloc(4);
  length.writeInt32LE(inner.length + 4);
  const documents = sequence === 'none' ? Buffer.alloc(0) : Buffer.concat([Buffer.from([1]), length, inner]);
  const section = Buffer.concat([Buffer.from([0]), BSON.serialize(body)]);
  const header = Buffer.alloc(20);
  const sections = sequence === 'before' ? [documents, section] : [section, documents];
  const bytes = Buffer.concat([header, ...sections]);
  bytes.writeInt32LE(bytes.length, 0);
  bytes.writeInt32LE(77, 4);
  bytes.writeInt32LE(2013, 12);
  return bytes;
}

test.each(['none', 'before', 'behind'] as const)(
  'a command is known by its name and collection, sequence %s',
  (sequence) => {
    const { id, command, collection } = new Request(message({ insert: 'notes', $db: 'd' }, sequence));
    expect({ id, command, collection }).toEqual({ id: 77, command: 'insert', collection: 'notes' });
    const more = new Request(message({ getMore: 5n, collection: 'notes' }, sequence));
    expect([more.command, more.collection]).toEqual(['getMore', 'notes']);
    expect(new Request(message({ ping: 1 }, sequence)).collection).toBeUndefined();
    const inserted = new Request(message({ insert: 'notes' }, sequence)).documents.map((one) => String(one['_id']));
    expect(inserted).toEqual(sequence === 'none' ? [] : ['1']);
  },
);

test('documents to insert are found in the body', () => {
  const { documents } = new Request(message({ insert: 'notes', documents: [{ _id: 2 }] }));
  expect(documents.map((one) => String(one['_id']))).toEqual(['2']);
});

test('messages are whole however their bytes arrive', () => {
  const sent = [message({ ping: 1 }), message({ find: 'notes' }), message({ ping: 1 })];
  const bytes = Buffer.concat(sent);
  for (let size = 1; size <= bytes.length; size += 7) {
    const framer = new Framer();
    const found: Buffer[] = [];
    for (let at = 0; at < bytes.length; at += size) found.push(...framer.push(bytes.subarray(at, at + size)));
    expect(found.map((each) => each.toString('hex'))).toEqual(sent.map((each) => each.toString('hex')));
  }
  expect(() => [...new Framer().push(Buffer.from('GET / HTTP/1.1\r\n\r\n'))]).toThrow('A message of');
});

test('an answer of our own answers the request', () => {
  const request = new Request(message({ find: 'notes' }));
  const reply = new Reply(answerTo(request, { ok: 1, a: 2 }));
  expect(reply.responseTo).toBe(77);
  expect(BSON.deserialize(BSON.serialize(reply.body))).toEqual({ ok: 1, a: 2 });
  expect(BSON.deserialize(BSON.serialize(reply.withBody({ b: 'c' }).body))).toEqual({ b: 'c' });
});

describe('labels are those of a real server', () => {
  const plain = { insert: 'notes' };
  const retryable = { insert: 'notes', txnNumber: 1n };
  const inside = { insert: 'notes', txnNumber: 1n, autocommit: false };
  const commit = { commitTransaction: 1, txnNumber: 1n, autocommit: false };
  const [transient, again] = [['TransientTransactionError'], ['RetryableWriteError']];

  test.each<readonly [ErrorName, object, readonly string[] | undefined]>([
    ['WriteConflict', plain, undefined],
    ['WriteConflict', retryable, undefined],
    ['WriteConflict', inside, transient],
    ['NotWritablePrimary', plain, undefined],
    ['NotWritablePrimary', retryable, again],
    ['NotWritablePrimary', inside, transient],
    ['NotWritablePrimary', commit, again],
    ['InterruptedDueToReplStateChange', retryable, again],
    ['InterruptedDueToReplStateChange', inside, transient],
    ['MaxTimeMSExpired', retryable, undefined],
    ['MaxTimeMSExpired', inside, undefined],
  ])('%s to %j: %j', (name, command, labels) => {
    expect(refusal(new Request(message(command)), name)['errorLabels']).toEqual(labels);
  });
});
