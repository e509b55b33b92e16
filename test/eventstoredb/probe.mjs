// Asks an EventStoreDB node, through the official client, how it behaves, and prints one masked line per question.
//   node eventstoredb-probe.mjs 'esdb://127.0.0.1:2113?tls=false' > out.txt && diff eventstoredb-transcript.txt out.txt
// The transcript beside it was printed by a real 22.10.5 node (client 6.2.1). A stand-in used in tests has to print the same.
import { randomUUID } from 'node:crypto';
import {
  ANY,
  BACKWARDS,
  END,
  EventStoreDBClient,
  FORWARDS,
  NO_STREAM,
  START,
  STREAM_EXISTS,
  binaryEvent,
  jsonEvent,
  streamNameFilter,
} from '@eventstore/db-client';

const url = process.argv[2] ?? 'esdb://127.0.0.1:2113?tls=false';
// Against hanging only. An append of 2 MiB passes the window of HTTP/2, 64 KiB, more than forty times, and on a busy machine each
// side waits for the processor every time: the client's own deadline, 10 s, says how busy that is.
const PATIENCE_MS = 60_000;
const client = EventStoreDBClient.connectionString(`${url}&defaultDeadline=${PATIENCE_MS}`);
const run = randomUUID().slice(0, 8); // Streams are fresh in every run, so the probe can be repeated on one node.
const main = `probe-main-${run}`,
  other = `probe-other-${run}`,
  retry = `probe-retry-${run}`;

const names = new Map();
const named = (id) => names.get(id) ?? (names.set(id, `id${names.size + 1}`), names.get(id));
const mask = (text) =>
  text
    .replaceAll(run, 'RUN')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, named)
    .replace(/"(commit|prepare|commitPosition)":"\d+n"/g, '"$1":"Pn"')
    .replace(/"metastreamRevision":"\d+n"/g, '"metastreamRevision":"Pn"')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, 'TIME');
const json = (value) => mask(JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? `${v}n` : v)) ?? 'undefined');

async function ask(question, answer) {
  try {
    console.log(`${question} => ${json(await answer())}`);
  } catch (error) {
    const { type, code, streamName, expectedVersion, actualVersion } = error;
    console.log(
      `${question} !! ${error.constructor.name} ${json({ type, code, streamName, expectedVersion, actualVersion })} ${mask(error.message)}`,
    );
  }
}
const event = (n, id) => jsonEvent({ ...(id && { id }), type: 'Tested', data: { n }, metadata: { m: n } });
const append = (stream, events, expectedRevision) => client.appendToStream(stream, events, { expectedRevision });
const drain = async (reading) => {
  const all = [];
  for await (const x of reading) all.push(x);
  return all;
};
const short = (all) => all.map(({ event: e }) => [e.revision, e.type, e.data, e.metadata]);

console.log('# append');
await ask('no stream yet', () => append(main, [event(0)], NO_STREAM));
await ask('no stream, but there is one', () => append(main, [event(9)], NO_STREAM));
await ask('wrong revision', () => append(main, [event(9)], 7n));
await ask('right revision', () => append(main, [event(1)], 0n));
await ask('any, three at once', () => append(main, [event(2), event(3), event(4)], ANY));
await ask('stream exists', () => append(main, [event(5)], STREAM_EXISTS));
await ask('stream exists, but it does not', () => append(`${main}-none`, [event(5)], STREAM_EXISTS));
await ask('a revision of a missing stream', () => append(`${main}-none`, [event(5)], 3n));
await ask('binary', () =>
  append(main, [binaryEvent({ type: 'Bytes', data: Buffer.from([1, 2, 3]), metadata: Buffer.from([9]) })], ANY),
);
await ask('no metadata', () => append(main, [jsonEvent({ type: 'Bare', data: 1 })], ANY));
await ask('nothing at all', () => append(main, [], ANY));
await ask('unicode', () => append(main, [jsonEvent({ type: 'Tested', data: { text: 'žluťoučký 🐎 \u0000 "' } })], ANY));
await ask('2 MiB', () => append(other, [jsonEvent({ type: 'Big', data: 'x'.repeat(2 << 20) })], ANY));
await ask('20 × 100 KiB', () =>
  append(
    other,
    Array.from({ length: 20 }, () => jsonEvent({ type: 'Big', data: 'x'.repeat(100 << 10) })),
    ANY,
  ),
);
await ask(
  '900 KiB',
  async () =>
    (await append(other, [jsonEvent({ type: 'Big', data: 'x'.repeat(900 << 10) })], ANY)).nextExpectedRevision,
);
await ask('malformed id', () => append(other, [event(1, 'not-a-uuid')], ANY));
await ask('empty stream name', () => append('', [event(1)], ANY));

console.log('# retried appends');
const [a, b, c, d] = Array.from({ length: 4 }, () => randomUUID());
await ask('[a,b] no stream', () => append(retry, [event(1, a), event(2, b)], NO_STREAM));
await ask('[a,b] no stream, again', () => append(retry, [event(1, a), event(2, b)], NO_STREAM));
await ask('[a] no stream, a part', () => append(retry, [event(1, a)], NO_STREAM));
await ask('[a,b,c] no stream, longer', () => append(retry, [event(1, a), event(2, b), event(3, c)], NO_STREAM));
await ask('[b] at 0, the rest', () => append(retry, [event(2, b)], 0n));
await ask('[a,b] any', () => append(retry, [event(1, a), event(2, b)], ANY));
await ask('[a] any, other data', () => append(retry, [jsonEvent({ id: a, type: 'Other', data: 0 })], ANY));
await ask('[b,c] any, partly old', () => append(retry, [event(2, b), event(3, c)], ANY));
await ask('[b] at the current revision', () => append(retry, [event(2, b)], 1n));
await ask('[d,d] any, twice in one', () => append(`${retry}-twice`, [event(4, d), event(4, d)], ANY));
await ask('[a] any, another stream', () => append(`${retry}-else`, [event(1, a)], ANY));
await ask('what is stored', async () =>
  (await drain(client.readStream(retry))).map(({ event: e }) => [e.revision, named(e.id), e.type]),
);

console.log('# read');
await ask('first, whole', async () => (await drain(client.readStream(main, { maxCount: 1 })))[0]);
await ask('types', async () => {
  const [{ event: e }] = await drain(client.readStream(main, { maxCount: 1 }));
  return [typeof e.revision, typeof e.position.commit, e.created instanceof Date];
});
await ask('all of it', async () => short(await drain(client.readStream(main))));
await ask('from 1, two forwards', async () =>
  short(await drain(client.readStream(main, { fromRevision: 1n, maxCount: 2, direction: FORWARDS }))),
);
await ask('from the end, two backwards', async () =>
  short(await drain(client.readStream(main, { fromRevision: END, maxCount: 2, direction: BACKWARDS }))),
);
await ask('past the end', async () => short(await drain(client.readStream(main, { fromRevision: 999n }))));
await ask('missing', async () => drain(client.readStream(`${main}-none`)));
await ask('$all with a filter option: are all events of that prefix?', async () =>
  (await drain(client.readAll({ filter: streamNameFilter({ prefixes: [retry] }) }))).every(({ event: e }) =>
    e.streamId.startsWith(retry),
  ),
);
await ask('$all backwards', async () =>
  (await drain(client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 2 }))).map(({ event: e }) => [
    e.streamId,
    e.revision,
  ]),
);

console.log('# subscribe');
const collect = (subscription, count) =>
  new Promise((resolve) => {
    const seen = [],
      signals = [];
    const finish = () => {
      clearTimeout(timer);
      subscription.unsubscribe();
      resolve({ seen, signals });
    };
    const timer = setTimeout(finish, PATIENCE_MS);
    subscription.on('confirmation', () => signals.push('confirmation'));
    subscription.on('caughtUp', () => signals.push('caughtUp'));
    subscription.on('error', (error) => {
      signals.push(`error ${error.type}`);
      finish();
    });
    subscription.on('data', ({ event: e }) => {
      seen.push([e.streamId, e.revision]);
      if (seen.length === count) finish();
    });
  });
await ask('$all from the start by prefix', () =>
  collect(
    client.subscribeToAll({ fromPosition: START, filter: streamNameFilter({ prefixes: [`probe-retry-${run}`] }) }),
    6,
  ),
);
await ask('$all from a position, exclusive', async () => {
  const [first] = await drain(client.readStream(retry));
  return collect(
    client.subscribeToAll({ fromPosition: first.event.position, filter: streamNameFilter({ prefixes: [retry] }) }),
    2,
  );
});
await ask('one stream, then live', () => {
  setTimeout(() => append(main, [event(100)], ANY), 300);
  return collect(client.subscribeToStream(main, { fromRevision: 7n }), 2);
});
await ask('a stream that is not there yet', () => {
  setTimeout(() => append(`${main}-later`, [event(1)], ANY), 300);
  return collect(client.subscribeToStream(`${main}-later`, { fromRevision: START }), 1);
});

console.log('# delete and metadata');
await ask(
  'set metadata',
  async () => (await client.setStreamMetadata(retry, { maxCount: 1, custom: 'x' })).nextExpectedRevision,
);
await ask('get metadata', () => client.getStreamMetadata(retry));
await ask('read at maxCount 1', async () => (await drain(client.readStream(retry))).map(({ event: e }) => e.revision));
await ask('delete at a wrong revision', () => client.deleteStream(main, { expectedRevision: 3n }));
await ask('delete', () => client.deleteStream(main));
await ask('read deleted', () => drain(client.readStream(main)));
await ask('no stream after delete', () => append(main, [event(0)], NO_STREAM));
await ask('revisions go on', async () => (await drain(client.readStream(main))).map(({ event: e }) => e.revision));
await ask('tombstone', () => client.tombstoneStream(other));
await ask('read tombstoned', () => drain(client.readStream(other)));
await ask('append tombstoned', () => append(other, [event(1)], ANY));
await client.dispose();
process.exit(0);
