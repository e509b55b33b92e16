import { Client } from '../client.js';
import type { Call } from './transport.js';
import { callOf } from './operations.js';
import { viewOf } from '../windows/view.js';
import type { Message } from '../wire/types.generated.js';

test('parameters that the path names are put there, and the others are sent', () => {
  expect(callOf('PATCH /messages/{message_id}', { message_id: 214, content: 'Hello' })).toEqual({
    method: 'PATCH',
    path: '/messages/214',
    params: { content: 'Hello' },
  });
  expect(callOf('DELETE /navigation_views/{fragment}', { fragment: 'narrow/is/alerted?' }).path).toBe(
    '/navigation_views/narrow%2Fis%2Falerted%3F',
  );
  expect(callOf('GET /users/me', undefined)).toEqual({ method: 'GET', path: '/users/me', params: {} });
});

test.each([undefined, '', '.', '..'])('no call has %p as a part of its path: it would be another call', (fragment) => {
  expect(() => callOf('DELETE /navigation_views/{fragment}', { fragment })).toThrow(RangeError);
});

test.each(['...', '.a', 0])('%p is a part of a path', (fragment) => {
  expect(callOf('DELETE /navigation_views/{fragment}', { fragment }).path).toBe(`/navigation_views/${fragment}`);
});

/** Compiles in strict TypeScript, without a cast; what is expected to be an error does not. */
async function bot(calls: Call[]): Promise<void> {
  const said: string[] = [];
  const note = (message: Message): unknown =>
    said.push(
      message.type === 'stream'
        ? message.subject
        : (message.display_recipient.map(({ full_name }) => full_name)[0] ?? ''),
    );
  const client = new Client({
    transport: {
      send: (call) => {
        calls.push(call);
        return Promise.resolve({ kind: 'lost', reason: 'There is no server.' });
      },
    },
    onEvent: (event, { self, fields }) => {
      if (event.type === 'reaction' && event.op === 'add') said.push(event.emoji_name);
      if (event.type !== 'message' || event.message.sender_id === self) return;
      said.push(event.flags.join(), fields.realm_name ?? '', String((fields.max_message_length ?? 0) + 1));
      note({ ...event.message, flags: event.flags });
    },
  });
  const narrow = [{ operator: 'channel', operand: 5 }] as const;
  const found = await client.call('GET /messages', { anchor: 'newest', num_before: 5, num_after: 0, narrow });
  if (found.kind === 'ok') found.body.messages.forEach(note);
  if (found.kind === 'refused') said.push(found.code, found.message);
  const me = await client.call('GET /users/me');
  if (me.kind === 'ok') said.push(me.body.full_name);
  await client.call('POST /messages/{message_id}/reactions', { message_id: 7, emoji_name: 'tada' });
  viewOf(client.store.get().windows, narrow).messages.forEach(note);
  // @ts-expect-error -- a misspelled parameter
  await client.call('GET /messages', { anchorr: 'newest', num_before: 5, num_after: 0 });
  // @ts-expect-error -- a parameter of the path is missing
  await expect(client.call('DELETE /messages/{message_id}', {})).rejects.toThrow(RangeError);
  // @ts-expect-error -- parameters are missing
  await client.call('POST /messages');
  // @ts-expect-error -- no operation
  await client.call('GET /nothing');
  // @ts-expect-error -- a field that the answer does not have
  if (me.kind === 'ok') said.push(me.body.nickname);
}

test('calls are typed by the operations of the server', async () => {
  const calls: Call[] = [];
  await bot(calls);
  expect(calls.slice(0, 3).map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /messages',
    'GET /users/me',
    'POST /messages/7/reactions',
  ]);
});
