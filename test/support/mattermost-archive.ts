import { picture as pictureOf } from './pictures.js';

/** A server of Mattermost as its bulk export has it. Times are in milliseconds. */
const START = 1_600_000_000_000;
const HOUR = 3_600_000;

type Line = { readonly type: string } & Readonly<Record<string, unknown>>;

const line = (type: string, value: object): Line => ({ type, [type]: value });

const team = (name: string, display_name: string) =>
  line('team', { name, display_name, type: 'O', description: '', allow_open_invite: true });

const channel = (of: string, name: string, display_name: string, more: object = {}) =>
  line('channel', { team: of, name, display_name, type: 'O', header: '', purpose: '', ...more });

const person = (username: string, first_name: string, last_name: string, channels: object, more: object = {}) =>
  line('user', {
    username,
    email: `${username}@example.test`,
    auth_service: '',
    nickname: '',
    first_name,
    last_name,
    position: '',
    roles: 'system_user',
    locale: 'en',
    delete_at: 0,
    timezone: { automaticTimezone: 'Europe/Berlin', manualTimezone: '', useAutomaticTimezone: 'true' },
    teams: Object.entries(channels).map(([name, names]) => ({
      name,
      roles: 'team_user',
      channels: names.map((one: string) => ({ name: one, roles: 'channel_user', favorite: false })),
    })),
    ...more,
  });

const said = (user: string, message: string, at: number, more: object = {}) => {
  return { user, type: '', message, props: {}, create_at: START + at, edit_at: 0, reactions: null, ...more };
};

const post = (of: string, to: string, user: string, message: string, at: number, more: object = {}) =>
  line('post', { team: of, channel: to, ...said(user, message, at, { replies: null, attachments: null, ...more }) });

const direct = (channel_members: string[], user: string, message: string, at: number, more: object = {}) =>
  line('direct_post', { channel_members, ...said(user, message, at, { replies: null, ...more }) });

/** The lines of a small server with everything that the format has. Posts are in no order, as in an export. */
export function mattermostLines(): Line[] {
  const all = { main: ['town-square', 'dev', 'den', 'past'], side: ['town-square'] };
  return [
    { type: 'version', version: 1, info: { generator: 'mattermost-server', version: '9.5.0' } },
    line('role', { name: 'system_user', permissions: [] }),
    team('main', 'Main'),
    team('side', 'Side'),
    channel('main', 'town-square', 'Town Square'),
    channel('side', 'town-square', 'Town Square'),
    channel('main', 'dev', 'Development', { purpose: 'Code', header: 'see [the page](https://example.test)' }),
    channel('main', 'den', 'Den', { type: 'P' }),
    channel('main', 'past', 'Past', { deleted_at: START }),
    person('old', 'Old', 'Hand', all, { delete_at: START }),
    person('olive', 'Olive', 'Owner', { main: ['town-square', 'dev'] }, { roles: 'system_user system_admin' }),
    person('ann', 'Ann', 'Archer', all, { profile_image: 'profile_pictures/ann.png' }),
    person('ben.b', 'Ben', 'Baker', { main: ['town-square', 'dev', 'den'] }),
    person('ben2', 'Ben', 'Baker', { main: ['dev'] }, { roles: 'system_user system_admin' }),
    person('gus', '', '', { main: ['dev'] }, { nickname: 'Gus Guest', roles: 'system_guest' }),
    line('bot', { username: 'deployer', owner: 'ann', display_name: 'Deployer', description: '', delete_at: 0 }),
    line('bot', { username: 'greeter', owner: 'gus', display_name: 'Greeter', description: '', delete_at: 0 }),
    post('main', 'dev', 'ann', '@here ~town-square ~nowhere `@ann` :parrot: $a^2$', 5 * HOUR, {
      edit_at: START + 6 * HOUR,
    }),
    post('main', 'dev', 'ann', 'Where do we **eat** today?', 1_000, {
      flagged_by: ['ben.b'],
      is_pinned: true,
      reactions: [
        { user: 'ben.b', create_at: START + 2_000, emoji_name: '+1' },
        { user: 'gus', create_at: START + 3 * HOUR, emoji_name: '+1' },
        { user: 'ann', create_at: null, emoji_name: 'parrot' },
        { user: 'ann', create_at: START + 2_000, emoji_name: 'company_logo' },
      ],
      replies: [
        said('ben.b', 'ask @ann, @ben2 and @nobody.', 2 * HOUR),
        said('gus', '', 3 * HOUR, { attachments: [{ path: '20200913/menu.txt' }] }),
      ],
    }),
    post('main', 'dev', 'ann', 'Where do we eat today?', 3_000, { replies: [said('gus', 'here', 4_000)] }),
    post('main', 'dev', 'ann', 'joined', 500, { type: 'system_join_channel' }),
    post('main', 'dev', 'deployer', '', 4 * HOUR, {
      type: 'slack_attachment',
      props: {
        attachments: [
          { fallback: 'x', title: 'Build', title_link: 'https://example.test/b', text: 'passed', fields: [] },
        ],
      },
    }),
    post('main', 'dev', 'ben.b', '![a picture](https://example.test/p.png =20x30 "it")', 4 * HOUR + 1_000, {
      attachments: [{ path: '20200913/a picture.png' }, { path: '20200913/gone.png' }],
    }),
    post('main', 'town-square', 'ben.b', '*waves*', 600, { type: 'me' }),
    post('side', 'town-square', 'ann', 'the other square', 700),
    post('main', 'past', 'old', 'long ago', 100),
    post('main', 'den', 'ben.b', 'for two', 800),
    post('main', 'lost', 'ben.b', 'nowhere', 900),
    line('emoji', { name: 'parrot', image: 'exported_emoji/abc/image' }),
    line('emoji', { name: 'missing', image: 'exported_emoji/def/image' }),
    line('direct_channel', { members: ['ann', 'ben.b'], favorited_by: null, header: '' }),
    direct(['ann', 'ben.b'], 'ann', 'we two', 1_100, { replies: [said('ben.b', 'yes', 1_300)] }),
    direct(['ann', 'ben.b', 'olive'], 'olive', 'we three', 1_200),
    direct(['ann'], 'ann', 'to myself', 1_400),
    direct(['ann', 'stranger'], 'stranger', 'hello', 1_500),
    { type: 'thread_follower', thread_follower: {} },
  ];
}

/** The entries of an archive with these lines. */
export async function mattermostArchive(
  lines: readonly object[] = mattermostLines(),
): Promise<Record<string, string | Buffer>> {
  const picture = await pictureOf(64, 64, 120);
  return {
    'import.jsonl': lines.map((one) => `${JSON.stringify(one)}\n`).join(''),
    'data/profile_pictures/ann.png': picture,
    'data/exported_emoji/abc/image': picture,
    'data/20200913/menu.txt': 'soup',
    'data/20200913/a picture.png': picture,
  };
}

/** The lines of a server with many messages: threads, mentions, styles and reactions among them. */
export function* manyMattermostLines(messages: number): Generator<Line> {
  yield* mattermostLines();
  for (let index = 0; index < messages; index += 5) {
    // Later ones first: an export is in the order of random IDs.
    const at = (messages - index) * 10_000;
    const user = index % 2 === 0 ? 'ann' : 'ben.b';
    const text = (number: number): string => `message ${number} with **style** for @ben.b, https://example.test`;
    const reactions = [
      { user: 'ann', create_at: at, emoji_name: 'tada' },
      { user: 'gus', create_at: at, emoji_name: 'tada' },
    ];
    const replies = [1, 2].map((number) => said('gus', text(index + number), at + number));
    yield post('main', 'dev', user, text(index), at, { reactions, replies });
    for (const number of [3, 4]) yield post('main', 'dev', user, text(index + number), at + number);
  }
}
