/** What a list keeps of a narrow for the next visit. */
import { Client, NO_WINDOWS, type Outcome } from '#client';
import { MessageWindow } from '../../web/chat/model/message-window.js';

const message = { id: 5, type: 'stream', stream_id: 2, subject: 'one', sender_id: 6, flags: [], reactions: [] };
const page = { messages: [message], found_oldest: true, found_newest: true, found_anchor: true, anchor: 5 };
const registered = { user_id: 1, queue_id: 'q', last_event_id: 0, subscriptions: [], streams: [] };

test.each([
  ['channel', 2, undefined],
  ['dm', [6], 1],
])(
  'messages of a window that has gone, of a narrow by %s, may be ones that the reader has lost',
  async (operator, operand, kept) => {
    const answer = (path: string): Outcome => ({ kind: 'ok', body: path === '/messages' ? page : registered });
    const client = new Client({
      kept: registered,
      transport: { send: ({ path }) => Promise.resolve(answer(path)) },
    });
    const window = new MessageWindow([{ operator, operand }], client, () => undefined, undefined);
    await window.open('newest');
    expect(window.kept()?.page.messages).toHaveLength(1);
    client.store.set({ ...client.store.get(), windows: NO_WINDOWS });
    expect(window.kept()?.page.messages.length).toBe(kept);
    await client.stop();
  },
);
