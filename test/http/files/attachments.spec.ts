/** Files of messages: who may open them, what clients are told, and the list of one's own (endpoints.md §12, §13). */
import { expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';
import { load, PIXEL, upload } from '../../support/uploads.js';

let cast: Cast;
let owner: ApiClient, ann: ApiClient, ben: ApiClient, cleo: ApiClient, guest: ApiClient;
let secret: number;

beforeAll(async () => {
  cast = await startWithPeople();
  ({ owner, ann, ben, cleo } = cast);
  guest = await cast.server.user('Gwen Guest');
  await owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
  await owner.ok('PATCH', '/realm', { message_content_delete_limit_seconds: 'unlimited' });

  await channelOf('kitchen', ann);
  const subscriptions = [{ name: 'secret' }];
  await ann.ok('POST', '/users/me/subscriptions', {
    subscriptions,
    invite_only: true,
    principals: [ann.userId, ben.userId],
  });
  secret = (await ann.ok('GET', '/get_stream_id', { stream: 'secret' })).stream_id;
});
afterAll(() => cast.server.stop());

const put = (name = 'soup.txt', content: Buffer | string = `soup ${Math.random()}`, client = ann): Promise<string> =>
  upload(cast.server, client, name, content);
const link = (url: string): string => `[it](${url})`;
const status = async (url: string, client?: ApiClient): Promise<number> =>
  (await load(cast.server, url, client)).status;
/** Who of these can open it. */
async function openTo(url: string): Promise<string> {
  const people = { ann, ben, cleo, guest, owner };
  const found = [];
  for (const [name, client] of Object.entries(people)) {
    const direct = await status(url, client);
    const { status: asked } = await client.call('GET', url);
    expect([direct, asked]).toEqual(direct === 200 ? [200, 200] : [404, 404]);
    if (direct === 200) found.push(name);
  }
  if ((await status(url)) === 200) found.push('spectator');
  return found.join(' ');
}
const idOf = async (url: string, client = ann): Promise<number> => {
  const { attachments } = await client.ok('GET', '/attachments');
  return attachments.find(({ path_id }: any) => url.endsWith(path_id))?.id;
};
const eventOf = ({ id: _, ...event }: any): any => event;

describe('access', () => {
  test('an unclaimed file is its uploader’s alone', async () => {
    expect(await openTo(await put())).toBe('ann');
  });

  test('a message opens it to its readers', async () => {
    const [open, hidden, direct] = [await put(), await put(), await put()];
    await ann.send('kitchen', 'lunch', link(open));
    await ann.send('secret', 'lunch', link(hidden));
    await ann.sendTo([cleo], link(direct));
    expect(await openTo(open)).toBe('ann ben cleo owner');
    expect(await openTo(hidden)).toBe('ann ben');
    expect(await openTo(direct)).toBe('ann cleo');
  });

  test('spectators and guests open files of web-public channels', async () => {
    await owner.ok('PATCH', '/realm', { enable_spectator_access: true });
    const web = await channelOf('web', ann);
    await owner.ok('PATCH', `/streams/${web}`, {
      is_web_public: true,
      is_private: false,
      history_public_to_subscribers: true,
    });
    const url = await put();
    await ann.send(web, 'lunch', link(url));
    expect(await openTo(url)).toBe('ann ben cleo guest owner spectator');
    await owner.ok('PATCH', '/realm', { enable_spectator_access: false });
    expect(await openTo(url)).toBe('ann ben cleo guest owner');
  });

  test('quoting an address opens nothing that its author could not read', async () => {
    const url = await put();
    const id = await ben.send('kitchen', 'lunch', link(url));
    await ben.sendTo([ben], link(url));
    expect(await openTo(url)).toBe('ann');
    const { messages } = await ann.ok('GET', '/messages', { anchor: id, num_before: 0, num_after: 0, narrow: [] });
    expect(messages[0]?.content).toBe(`<p><a href="${url}">it</a></p>`);
    // An edit once the author can read it does.
    await ann.sendTo([ben], link(url));
    expect(await openTo(url)).toBe('ann ben');
    await ben.ok('PATCH', `/messages/${id}`, { content: `again ${link(url)}` });
    expect(await openTo(url)).toBe('ann ben cleo owner');
  });

  test('follows the message when it is moved, edited and deleted', async () => {
    const url = await put();
    const id = await ann.send('kitchen', 'moving', link(url));
    expect(await openTo(url)).toBe('ann ben cleo owner');
    await ann.ok('PATCH', `/messages/${id}`, { stream_id: secret, propagate_mode: 'change_all' });
    expect(await openTo(url)).toBe('ann ben');
    await ann.ok('PATCH', `/messages/${id}`, { content: 'no soup' });
    expect(await openTo(url)).toBe('ann');
    await ann.ok('PATCH', `/messages/${id}`, { content: link(url) });
    expect(await openTo(url)).toBe('ann ben');
    await ann.ok('DELETE', `/messages/${id}`);
    expect(await openTo(url)).toBe('ann');
  });

  test('follows the privacy of the channel', async () => {
    const den = await channelOf('den', ann, ben);
    const url = await put();
    await ann.send(den, 'lunch', link(url));
    expect(await openTo(url)).toBe('ann ben cleo owner');
    await ann.ok('PATCH', `/streams/${den}`, { is_private: true, history_public_to_subscribers: true });
    expect(await openTo(url)).toBe('ann ben');
    await ann.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['den'], principals: [ben.userId] });
    expect(await openTo(url)).toBe('ann');
  });

  test('a removed file is open to nobody', async () => {
    const url = await put();
    await ann.send('kitchen', 'lunch', link(url));
    const { url: temporary } = await ann.ok('GET', url);
    await ann.ok('DELETE', `/attachments/${await idOf(url)}`);
    expect(await openTo(url)).toBe('');
    expect(await status(temporary)).toBe(404);
  });
});

describe('the list', () => {
  test('names one’s own files, their messages, and the space of all', async () => {
    const before = await ann.ok('GET', '/attachments');
    const url = await put('list.txt', '12345');
    const others = await put('other.txt', '1234567', ben);
    await ben.send('kitchen', 'lunch', link(others));
    const first = await ann.send('kitchen', 'lunch', link(url));
    const second = await ann.sendTo([ben], `${link(url)} ${link(others)}`);
    const { attachments, upload_space_used } = await ann.ok('GET', '/attachments');
    expect(upload_space_used).toBe(Number(before.upload_space_used) + 12);
    expect(attachments.at(-1)).toEqual({
      id: expect.any(Number),
      name: 'list.txt',
      path_id: url.replace('/user_uploads/', ''),
      size: 5,
      create_time: expect.any(Number),
      messages: [first, second].map((id) => ({ id, date_sent: expect.any(Number) })),
    });
    expect(Math.abs(Date.now() - attachments.at(-1).create_time)).toBeLessThan(600_000);
    expect(attachments.at(-1).messages[0].date_sent % 1000).toBe(0);
    const [theirs] = (await ben.ok('GET', '/attachments')).attachments;
    expect(theirs).toMatchObject({ name: 'other.txt', messages: [{}, { id: second }] });
  });

  test('only one’s own files can be removed', async () => {
    const url = await put();
    await ann.send('kitchen', 'lunch', link(url));
    const id = await idOf(url);
    for (const [client, attachment] of [
      [ben, id],
      [owner, id],
      [ann, 999_999],
    ] as const)
      expect(expectRefusal(await client.call('DELETE', `/attachments/${attachment}`), 'BAD_REQUEST').msg).toBe(
        'Invalid attachment',
      );
    await ann.ok('DELETE', `/attachments/${id}`);
    expectRefusal(await ann.call('DELETE', `/attachments/${id}`), 'BAD_REQUEST');
    expect(await idOf(url)).toBeUndefined();
  });

  test('an edit tells which files nothing refers to any more', async () => {
    const [one, two, bens] = [await put('one.txt'), await put('two.txt'), await put('bens.txt', 'x', ben)];
    await ann.sendTo([ben], link(two));
    await ben.sendTo([ann], link(bens));
    const id = await ann.send('kitchen', 'lunch', [one, two, bens].map(link).join(' '));
    const still = await ann.ok('PATCH', `/messages/${id}`, { content: `soup ${link(one)} ${link(two)} ${link(bens)}` });
    expect(still.detached_uploads).toEqual([]);
    const { detached_uploads } = await ann.ok('PATCH', `/messages/${id}`, { content: 'soup' });
    expect(detached_uploads).toEqual([
      {
        id: await idOf(one),
        name: 'one.txt',
        path_id: one.replace('/user_uploads/', ''),
        size: expect.any(Number),
        create_time: expect.any(Number),
        messages: [],
      },
    ]);
  });
});

test('the uploader’s clients are told what becomes of a file', async () => {
  const queue = await ann.register({ event_types: ['attachment'] });
  const others = await ben.register({ event_types: ['attachment'] });
  const used = async (): Promise<number> => (await ann.ok('GET', '/attachments')).upload_space_used;
  const url = await put('told.txt', '12345');
  const upload_space_used = await used();
  const attachment = {
    id: await idOf(url),
    name: 'told.txt',
    path_id: url.replace('/user_uploads/', ''),
    size: 5,
    create_time: expect.any(Number),
    messages: [],
  };
  const type = 'attachment';
  expect((await queue.pending()).map(eventOf)).toEqual([{ type, op: 'add', attachment, upload_space_used }]);
  await ann.sendTo([ben], 'nothing');
  const sent = await ann.sendTo([ben], link(url));
  const sentBy = { ...attachment, messages: [{ id: sent, date_sent: expect.any(Number) }] };
  const update = { type, op: 'update', attachment: sentBy, upload_space_used };
  expect((await queue.pending()).map(eventOf)).toEqual([update]);
  const quote = await ben.send('kitchen', 'lunch', link(url));
  const quoted = { ...sentBy, messages: [...sentBy.messages, { id: quote, date_sent: expect.any(Number) }] };
  expect((await queue.pending()).map(eventOf)).toEqual([{ ...update, attachment: quoted }]);
  await ben.ok('PATCH', `/messages/${quote}`, { content: `again ${link(url)}` });
  expect(await queue.pending()).toEqual([]);
  await ben.ok('PATCH', `/messages/${quote}`, { content: 'nothing', topic: 'dinner' });
  expect((await queue.pending()).map(eventOf)).toEqual([update]);
  await ann.ok('DELETE', `/attachments/${attachment.id}`);
  expect((await queue.pending()).map(eventOf)).toEqual([
    { type, op: 'remove', attachment: { id: attachment.id }, upload_space_used: upload_space_used - 5 },
  ]);
  expect(await others.pending()).toEqual([]);
});

describe('previews', () => {
  const sent = async (content: string): Promise<string> => {
    const id = await ann.send('kitchen', 'previews', content);
    return (await ann.ok('GET', `/messages/${id}`)).message.content;
  };

  test('show uploaded images by their thumbnails', async () => {
    const url = await put('pixel.png', PIXEL);
    const thumbnail = `${url.replace('/user_uploads/', '/user_uploads/thumbnail/')}/840x560.webp`;
    const facts = 'data-original-content-type="image/png" data-original-dimensions="1x1"';
    expect(await sent(link(url))).toBe(
      `<p><a href="${url}">it</a></p>\n<div class="message_inline_image"><a href="${url}" title="it">` +
        `<img ${facts} src="${thumbnail}"></a></div>`,
    );
    for (const format of ['840x560.webp', '840x560-anim.webp']) {
      const answer = await load(cast.server, thumbnail.replace('840x560.webp', format), ben);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp']);
      expect(Buffer.from(await answer.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP');
    }
    expect(await status(thumbnail, guest)).toBe(404);
    expect(await status(thumbnail.replace('840x560', '1x1'), ann)).toBe(404);
  });

  test('are links for other files, unknown ones, and when the organization has none', async () => {
    const text = await put('soup.txt');
    const unknown = '/user_uploads/1/ab/abcdefghijklmnopqrstuvwx/cat.png';
    expect(await sent(link(text))).toBe(`<p><a href="${text}">it</a></p>`);
    expect(await sent(link(unknown))).toBe(`<p><a href="${unknown}">it</a></p>`);
    const url = await put('pixel.png', PIXEL);
    await owner.ok('PATCH', '/realm', { inline_image_preview: false });
    expect(await sent(link(url))).toBe(`<p><a href="${url}">it</a></p>`);
    await owner.ok('PATCH', '/realm', { inline_image_preview: true });
  });

  test('has: finds messages by what they refer to', async () => {
    const [text, image] = [await put('soup.txt'), await put('pixel.png', PIXEL)];
    const unknown = '/user_uploads/1/ab/abcdefghijklmnopqrstuvwx/soup.txt';
    const ids: number[] = [];
    for (const content of [link(text), link(image), link(unknown), 'soup'])
      ids.push(await ann.send('kitchen', 'has', content));
    const found = async (operand: string): Promise<number[]> => {
      const narrow = [
        ['channel', 'kitchen'],
        ['topic', 'has'],
        ['has', operand],
      ];
      const { messages } = await ann.ok('GET', '/messages', { anchor: 'oldest', num_before: 0, num_after: 9, narrow });
      return messages.map(({ id }: any) => ids.indexOf(id));
    };
    expect([await found('attachment'), await found('image'), await found('link')]).toEqual([[0, 1], [1], [0, 1, 2]]);
  });
});
