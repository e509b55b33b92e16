import { streams } from '#event-store';
import { MessagesWorld } from '../messages.fixture.js';

const ANN = 2;
let world: MessagesWorld;

beforeEach(async () => {
  world = await MessagesWorld.open();
  await world.addUser(ANN, 'Ann');
  await world.addChannel(1, 'Denmark', [ANN]);
});
afterEach(() => world.close());

const send = (content: string) =>
  world.sender.send(world.directory.user(ANN)!, { type: 'channel', to: 1, topic: 'lunch', content, client: 'test' });

test('no message ID is given again when the log ends before one that was sent', async () => {
  expect(await send('soup')).toMatchObject({ id: 1 });
  expect(await send('bread')).toMatchObject({ id: 2 });
  // As it is when a start has read from its snapshot what the log has lost.
  world.directory.lastMessageId = 3;
  await expect(send('salad')).rejects.toMatchObject({ name: 'DamagedRecord', place: { revision: 2 } });
  expect(await world.store.readStream(streams.messages, { limit: 10 })).toHaveLength(2);
});
