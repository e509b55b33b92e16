import { randomUUID } from 'node:crypto';
import type { AppendResult } from '@eventstore/db-client';
import {
  ANY,
  EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  STREAM_EXISTS,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { EventStoreDbStandIn } from './index.js';

let standIn: EventStoreDbStandIn;
let client: EventStoreDBClient;

beforeEach(async () => {
  standIn = await EventStoreDbStandIn.start();
  client = EventStoreDBClient.connectionString(standIn.url);
});
afterEach(async () => {
  await client.dispose();
  await standIn.stop();
});

const event = (id: string = randomUUID()) => jsonEvent({ id, type: 'Tested', data: { id } });

async function restartedWithANewClient(): Promise<void> {
  await client.dispose();
  await standIn.restart();
  client = EventStoreDBClient.connectionString(standIn.url);
}

async function countOf(stream: string): Promise<number> {
  let count = 0;
  for await (const _ of client.readStream(stream)) count++;
  return count;
}

describe('a retried append', () => {
  const a = randomUUID();
  const b = randomUUID();

  test('at a numbered revision is known for ever, with its original position', async () => {
    await client.appendToStream('s', event());
    const first = await client.appendToStream('s', [event(a), event(b)], { expectedRevision: 0n });
    await client.appendToStream('s', event());
    await restartedWithANewClient();
    const again = await client.appendToStream('s', [event(a), event(b)], { expectedRevision: 0n });
    expect(again).toEqual(first);
    expect(await countOf('s')).toBe(4);
  });

  test('for no stream is known for ever', async () => {
    const first = await client.appendToStream('s', event(a), { expectedRevision: NO_STREAM });
    await restartedWithANewClient();
    expect(await client.appendToStream('s', event(a), { expectedRevision: NO_STREAM })).toEqual(first);
    expect(await countOf('s')).toBe(1);
  });

  test.each([ANY, STREAM_EXISTS] as const)('at %s is known until the node starts again', async (expectedRevision) => {
    const first = await client.appendToStream('s', event(a));
    expect(await client.appendToStream('s', event(a), { expectedRevision })).toEqual(first);
    expect(await countOf('s')).toBe(1);
    await restartedWithANewClient();
    expect((await client.appendToStream('s', event(a), { expectedRevision })).nextExpectedRevision).toBe(1n);
    expect(await countOf('s')).toBe(2);
  });

  test('is forgotten at any revision when more ids came than the node remembers', async () => {
    await client.appendToStream('s', event(a));
    const data = Buffer.from('{}');
    for (let i = 0; i < 300; i++) {
      const events = Array.from({ length: 1000 }, () => {
        return { id: randomUUID(), type: 'Tested', contentType: 'application/json', data, metadata: data };
      });
      standIn.seed('t', events);
    }
    await client.appendToStream('s', event(a));
    expect(await countOf('s')).toBe(2);
  });

  test('beginning with a new event is no retry', async () => {
    await client.appendToStream('s', event(a));
    expect((await client.appendToStream('s', [event(b), event(a)])).nextExpectedRevision).toBe(2n);
  });
});

describe('what an insecure node takes', () => {
  test('system streams and types', async () => {
    await client.appendToStream('$mine', jsonEvent({ type: '$mine', data: {} }));
    expect(await countOf('$mine')).toBe(1);
  });

  test('several hundred appends at once, each answered with its own result', async () => {
    const streams = Array.from({ length: 300 }, (_, i) => `s-${i % 7}`);
    const results = await Promise.all(streams.map((stream) => client.appendToStream(stream, event())));
    expect(new Set(results.map(({ position }) => position?.commit)).size).toBe(300);
    expect(
      results.filter((_, i) => i % 7 === 3).map(({ nextExpectedRevision }) => Number(nextExpectedRevision)),
    ).toEqual(Array.from({ length: 43 }, (_, i) => i));
  });

  test('an append in several messages, up to its limit', async () => {
    const small = () => jsonEvent({ type: 'Tested', data: { text: 'x'.repeat(1000) } });
    const options = { batchAppendSize: 10_000 };
    await client.appendToStream('s', Array.from({ length: 900 }, small), options);
    expect(await countOf('s')).toBe(900);
    const tooMuch = client.appendToStream('s', Array.from({ length: 1100 }, small), options);
    await expect(tooMuch).rejects.toThrow(MaxAppendSizeExceededError);
    expect(await countOf('s')).toBe(900);
  });
});

describe('of the client', () => {
  test('throwOnAppendFailure counts for the whole client', async () => {
    await client.dispose();
    client = EventStoreDBClient.connectionString(`${standIn.url}&throwOnAppendFailure=false`);
    const result: AppendResult = await client.appendToStream('s', event(), { expectedRevision: 5n });
    expect(result.success).toBe(false);
  });

  test('credentials of a call make it append alone, with the same results', async () => {
    const credentials = { username: 'ann', password: 'secret' };
    const first = await client.appendToStream('s', [event(), event()], { credentials, expectedRevision: NO_STREAM });
    expect(first.nextExpectedRevision).toBe(1n);
    const wrong = client.appendToStream('s', event(), { credentials, expectedRevision: 7n });
    await expect(wrong).rejects.toThrow(WrongExpectedVersionError);
    await expect(wrong).rejects.toMatchObject({ expectedVersion: 7n, actualVersion: 1n, streamName: 's' });
    const large = jsonEvent({ type: 'Tested', data: { text: 'x'.repeat(2 << 20) } });
    await expect(client.appendToStream('s', large, { credentials })).rejects.toThrow(MaxAppendSizeExceededError);
    await client.tombstoneStream('s');
    await expect(client.appendToStream('s', event(), { credentials })).rejects.toMatchObject({
      type: 'stream-deleted',
    });
  });

  test('metastreamRevision is a position', async () => {
    await client.setStreamMetadata('s', { maxCount: 3 });
    const { metastreamRevision } = await client.getStreamMetadata('s');
    expect(metastreamRevision).toBeGreaterThan(100n);
  });
});
