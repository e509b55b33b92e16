import { BY_SERVER } from '#kernel';
import { preferencesPart } from '#preferences/model';
import { streams } from '#event-store';
import { MessagesWorld, START } from '../messages.fixture.js';

const [ANN, BOB] = [2, 3];
let world: MessagesWorld;

beforeEach(async () => {
  world = await MessagesWorld.open();
  await world.addUser(ANN, 'Ann');
  await world.addUser(BOB, 'Bob');
  await world.addChannel(1, 'Denmark', [ANN, BOB]);
});
afterEach(() => world.close());

const policyOf = (topic: string) => [...world.directory.of(preferencesPart).inTopic(1, topic)].length;

/** The notices of moves. */
async function said(): Promise<string[]> {
  const sent = await world.store.readStream(streams.messages, { limit: 100 });
  return sent.map(({ data }) => (data as { content: string }).content).filter((content) => content.includes('moved'));
}

/** The read models are put back while the next follow-up asks for the newest message of a topic, at the given time of asking. */
function losesReadModelsAt(lostAt: number): void {
  const enter = world.gate.enter.bind(world.gate);
  jest.spyOn(world.gate, 'enter').mockImplementation(async (intent) => {
    const pass = await enter(intent);
    const newest = world.reader.newestInTopic.bind(world.reader);
    let asked = 0;
    jest.spyOn(world.reader, 'newestInTopic').mockImplementation(async (channelId, topicKey) => {
      if (++asked !== lostAt) return newest(channelId, topicKey);
      world.gate.isWhole = false;
      return undefined;
    });
    return pass;
  });
}

async function recovers(): Promise<void> {
  jest.restoreAllMocks();
  world.gate.isWhole = true;
  world.clock.atMs += 60_000;
  await world.followUps.recover();
}

test.each([
  ['policies', 1],
  ['notices', 2],
])('a topic that looks empty in read models that are put back has not moved whole, to %s', async (_what, lostAt) => {
  const policy = { userId: BOB, channelId: 1, topic: 'lunch', policy: 3, at: START } as const;
  await world.runner.appendOnly(streams.user(BOB), [{ type: 'topic-policy.set.v1', data: policy }], BY_SERVER);
  const moved = await world.send(ANN, 'one', { topic: 'lunch' });
  await world.send(ANN, 'two', { topic: 'lunch' });
  losesReadModelsAt(lostAt);
  const moving = world.change(ANN, moved, { topic: 'dinner', notices: { oldThread: true, newThread: true } });
  await expect(moving).rejects.toThrow('not whole');
  // Ann's follows from her messages.
  expect([policyOf('lunch'), policyOf('dinner'), await said()]).toEqual([2, 0, []]);

  await recovers();
  expect([policyOf('lunch'), policyOf('dinner')]).toEqual([2, 0]);
  expect(await said()).toEqual([
    expect.stringMatching(/^\[A message\].* was moved here/),
    expect.stringMatching(/^A message was moved from this topic/),
  ]);
});

test('a notice that an interrupted attempt has taken back does not keep it from the other notices', async () => {
  const moved = await world.send(ANN, 'one', { topic: 'lunch' });
  await world.change(ANN, moved, { topic: '✔ lunch', propagateMode: 'change_all' });
  losesReadModelsAt(2);
  const notices = { oldThread: true, newThread: true };
  const moving = world.change(ANN, moved, { topic: 'dinner', propagateMode: 'change_all', notices });
  await expect(moving).rejects.toThrow('not whole');
  expect(await world.reader.newestInTopic(1, 'dinner')).toMatchObject({ id: moved });
  expect(await said()).toEqual([]);

  await recovers();
  expect(await said()).toEqual([
    expect.stringMatching(/^This topic was moved here/),
    expect.stringMatching(/^This topic was moved to/),
  ]);
});

test('a notice that its author may not take back any more does not keep it from the other notices', async () => {
  await world.addChannel(2, 'Secret', [ANN, BOB], { inviteOnly: true });
  const moved = await world.send(ANN, 'one', { to: 2, topic: 'lunch' });
  await world.change(ANN, moved, { topic: '✔ lunch', propagateMode: 'change_all' });
  losesReadModelsAt(1);
  const notices = { oldThread: true, newThread: true };
  const moving = world.change(ANN, moved, { topic: 'dinner', propagateMode: 'change_all', notices });
  await expect(moving).rejects.toThrow('not whole');

  await world.unsubscribe(2, ANN);
  await recovers();
  expect(await said()).toHaveLength(2);
});
