import { fetch } from '#testing';
import { expectRefusal, messageOf } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { channelOf, startWithPeople } from '../../support/people.js';
import type { TestServer } from '../../support/server.js';

let server: TestServer;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;

beforeAll(async () => {
  ({ server, owner, ann, ben } = await startWithPeople());
  await channelOf('hall', ann, ben);
});
afterAll(() => server.stop());

const PICTURE = '/static/generated/emoji/images/emoji/unicode/zulip.png';

test('the built-in extra emoji is a public picture in content', async () => {
  const id = await ann.send('hall', 'emoji', 'a :zulip:');
  expect((await messageOf(ben, id)).content).toBe(
    `<p>a <img alt=":zulip:" class="emoji" src="${PICTURE}" title="zulip"></p>`,
  );
  const answer = await fetch(`${server.url}${PICTURE}`);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
  const picture = Buffer.from(await answer.arrayBuffer());
  expect(picture.subarray(1, 4).toString('latin1')).toBe('PNG');
  // What the header says of width and height.
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([64, 64]);
  expect(picture.subarray(-8, -4).toString('latin1')).toBe('IEND');
});

test('videos of other hosts have previews, of what the address alone tells, while the organization wants them', async () => {
  const shown = async (content: string): Promise<string> =>
    (await messageOf(ben, await ann.send('hall', 'videos', content))).content;
  const [tube, vimeo, file] = ['https://youtu.be/dQw4w9WgXcQ', 'https://vimeo.com/1084537', 'https://e.example/a.mp4'];
  const links = [tube, vimeo, file].map((href) => `<a href="${href}">${href}</a>`).join(' ');
  const before = await ann.send('hall', 'videos', `${tube} ${vimeo} ${file}`);
  const { content } = await messageOf(ben, before);
  expect(content).toBe(
    `<p>${links}</p>\n` +
      `<div class="youtube-video message_inline_image"><a data-id="dQw4w9WgXcQ" href="${tube}"><img src="https://i.ytimg.com/vi/dQw4w9WgXcQ/mqdefault.jpg"></a></div>\n` +
      `<div class="embed-video message_inline_image"><a data-id="&lt;iframe src=&quot;https://player.vimeo.com/video/1084537&quot; width=&quot;640&quot; height=&quot;360&quot; ` +
      `allow=&quot;autoplay; fullscreen; picture-in-picture&quot;&gt;&lt;/iframe&gt;" href="${vimeo}"><img src="/static/video.png"></a></div>\n` +
      `<div class="message_inline_image message_inline_video"><a href="${file}" title="a.mp4"><video preload="metadata" src="${file}"></video></a></div>`,
  );
  expect(await shown('https://e.example/a.png')).not.toContain('<div');
  const picture = await fetch(`${server.url}/static/video.png`);
  expect([picture.status, picture.headers.get('content-type'), picture.headers.get('x-content-type-options')]).toEqual([
    ...[200, 'image/png', 'nosniff'],
  ]);
  const png = Buffer.from(await picture.arrayBuffer());
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([320, 180]);
  await owner.ok('PATCH', '/realm', { inline_image_preview: false });
  expect(await shown(`${tube} ${vimeo} ${file}`)).toBe(`<p>${links}</p>`);
  await owner.ok('PATCH', '/realm', { inline_image_preview: true });
  expect((await messageOf(ben, before)).content).toBe(content);
});

test('clients react by the names that they know, and by codes in both spellings', async () => {
  const id = await ann.send('hall', 'emoji', 'react');
  const path = `/messages/${id}/reactions`;
  await ben.ok('POST', path, { emoji_name: 'cat', emoji_code: '1f408', reaction_type: 'unicode_emoji' });
  const flag = { emoji_name: 'transgender_flag', emoji_code: '1f3f3-fe0f-200d-26a7-fe0f' };
  await ben.ok('POST', path, { ...flag, reaction_type: 'unicode_emoji' });
  const codes = (await messageOf(ann, id)).reactions.map((reaction: any) => reaction.emoji_code);
  expect(codes).toEqual(['1f408', '1f3f3-200d-26a7']);
  // The code decides, with any name beside it.
  expectRefusal(await ben.call('DELETE', path, { emoji_name: 'cat', emoji_code: '1f431' }), 'REACTION_DOES_NOT_EXIST');
  expectRefusal(await ben.call('DELETE', path, { emoji_name: 'cat', emoji_code: 'zzz' }), 'BAD_REQUEST');
  await ben.ok('DELETE', path, { emoji_name: 'dog', emoji_code: '1f408' });
  await ben.ok('DELETE', path, flag);
  expect((await messageOf(ann, id)).reactions).toEqual([]);
});

test('who is meant by a mention follows without regard to case, where only one is', async () => {
  const account = { email: 'other@example.test', password: 'a good long password', full_name: 'BEN BAKER' };
  const other = (await owner.ok('POST', '/users', account)).user_id as number;
  const shown = async (content: string): Promise<string> =>
    (await messageOf(ben, await ann.send('hall', 'mentions', content))).content;
  const mention = (id: number, name: string): string =>
    `<span class="user-mention" data-user-id="${id}">@${name}</span>`;
  expect(await shown('@**ann ARCHER** @**Ben Baker** @**BEN BAKER** @**ben baker**')).toBe(
    `<p>${mention(ann.userId, 'Ann Archer')} ${mention(ben.userId, 'Ben Baker')} ${mention(other, 'BEN BAKER')} @<strong>ben baker</strong></p>`,
  );
  const amelie = (await server.user('Am\u00e9lie Poulain')).userId;
  expect(await shown('@**Ame\u0301lie Poulain**')).toBe(`<p>${mention(amelie, 'Am\u00e9lie Poulain')}</p>`);
  expect(await shown(`@**Ame\u0301lie Poulain|${amelie}**`)).toBe(`<p>${mention(amelie, 'Am\u00e9lie Poulain')}</p>`);
  expect(await shown(`@**ben baker|${other}**`)).toBe(`<p>${mention(other, 'BEN BAKER')}</p>`);
  expect(await shown('@_*full members* @_*ROLE:OWNERS* @_*nobodies*')).toMatch(
    /^<p><span class="user-group-mention silent" data-user-group-id="\d+">Full members<\/span> <span class="user-group-mention silent" data-user-group-id="\d+">Owners<\/span> @_<em>nobodies<\/em><\/p>$/,
  );
});
