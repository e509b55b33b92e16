import { messageIdOf, streams } from '#event-store';
import { BY_SERVER } from '#kernel';
import type { IdempotencyToken } from './idempotent-sends.js';
import { MessagesWorld, START } from '../messages.fixture.js';

const ANN = 2;
const REQUEST = ['channel', 1, 'lunch', 'hello', null];
let world: MessagesWorld;

beforeEach(async () => {
  world = await MessagesWorld.open();
  await world.addUser(ANN, 'Ann');
  await world.addChannel(1, 'Denmark', [ANN]);
});
afterEach(() => world.close());

const ids = async (): Promise<string[]> =>
  (await world.store.readStream(streams.messages, { limit: 100 })).map(({ id }) => id);

/**
 * Sends like `MessageSender`.
 * @returns the event id as well
 */
async function record(token: IdempotencyToken): Promise<{ id: number; eventId: string }> {
  const already = await token.reserve();
  if (already !== undefined) return { id: already, eventId: 'another' };
  const data = { senderId: ANN, channelId: 1, topic: 'lunch', content: 'hello', client: 'test', at: START };
  const sent = { type: 'message.sent.v1', data };
  const { firstRevision } = await world.runner.appendOnly(streams.messages, [sent], BY_SERVER, {
    metadata: token.metadata,
    ids: [token.eventId],
  });
  return { id: messageIdOf(firstRevision), eventId: token.eventId };
}

test('processes at the same time send one message', async () => {
  const processes = await Promise.all([world.idempotentSends(), world.idempotentSends(), world.idempotentSends()]);
  const sent = await Promise.all(
    processes.map((idempotent) => idempotent.once({ userId: ANN }, 'key', REQUEST, record)),
  );
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect(await ids()).toHaveLength(1);
});

test('a reservation left by a dead process is completed under the same event id', async () => {
  let left = '';
  const dying = (await world.idempotentSends()).once({ userId: ANN }, 'key', REQUEST, async (token) => {
    await token.reserve();
    left = token.eventId;
    throw new Error('killed');
  });
  await expect(dying).rejects.toThrow('killed');
  expect(await ids()).toEqual([]);
  const next = await world.idempotentSends();
  await expect(next.once({ userId: ANN }, 'key', ['other'], record)).rejects.toMatchObject({
    code: 'IDEMPOTENCY_KEY_REUSED',
  });
  const sent = await next.once({ userId: ANN }, 'key', REQUEST, record);
  expect(sent).toMatchObject({ id: 1, eventId: left });
  expect(await ids()).toEqual([left]);
  expect(left).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('a message whose sender never heard of it is not sent again', async () => {
  const deaf = (await world.idempotentSends()).once({ userId: ANN }, 'key', REQUEST, async (token) => {
    await record(token);
    throw new Error('the answer is lost');
  });
  await expect(deaf).rejects.toThrow('lost');
  expect(await (await world.idempotentSends()).once({ userId: ANN }, 'key', REQUEST, record)).toEqual({ id: 1 });
  expect(await ids()).toHaveLength(1);
});
