/**
 * Every view and dialog of the chat page in each theme and width: axe finds nothing, nothing sticks out, and pictures are left for somebody
 * to look at, in the folder that SCREENSHOTS_DIR names.
 */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { channelOf } from '../support/people.js';
import { dialogsOf } from '../web/dialogs.js';
import { type ChatPages, SECTIONS, settledAt, startChatPages, violationsIn } from '../web/chat-page.js';

const WIDTHS = [320, 390, 768, 1280, 2560];
/** Those that axe looks at: what it finds depends on the form for phones or for wide windows. */
const RULED = [320, 1280];
const THEMES = [
  { name: 'light', media: { colorScheme: 'light', forcedColors: 'none' } },
  { name: 'dark', media: { colorScheme: 'dark', forcedColors: 'none' } },
  { name: 'forced', media: { colorScheme: 'dark', forcedColors: 'active' } },
] as const;

const FOLDER = process.env['SCREENSHOTS_DIR'] ?? mkdtempSync(join(tmpdir(), 'screenshots-'));

let pages: ChatPages;
let owner: ApiClient;
let ann: ApiClient;
let ben: ApiClient;
let kiln: number;

const COMMON = ['#inbox', '#recent', '#since', '#drafts', '#channels', '#browse', '#people', '#narrow'];
const NARROWS = [
  '#narrow/is/starred',
  '#narrow/is/mentioned',
  '#narrow/search/plan',
  '#narrow/search/nothing.20like.20it',
];
const views = (): string[] => [
  ...COMMON,
  ...NARROWS,
  '#narrow/channel/1-general',
  `#narrow/channel/${kiln}-kiln`,
  `#narrow/channel/${kiln}-kiln/topic/rebuild.20lag`,
  `#narrow/channel/${kiln}-kiln/topic/nobody.20wrote.20here`,
  '#narrow/channel/999-unknown/topic/x',
  `#narrow/dm/${ann.userId}-Ann`,
  `#browse/${kiln}`,
  `#people/${ann.userId}`,
  ...SECTIONS.settings,
  ...SECTIONS.organization,
];

async function fill(): Promise<void> {
  kiln = await channelOf('kiln', owner, ann, ben);
  await channelOf('a channel with a name that is much too long for it', owner, ann);
  const send = (who: ApiClient, topic: string, content: string) => who.send('kiln', topic, content);
  await send(ann, 'release 0.2', 'The tag is cut, notes are **here**: https://example.test/notes');
  await send(
    ben,
    'rebuild lag',
    'Lag of `conversations` went to 4,100 events while the rebuild ran.\n\n> Is that bad?\n\nNo.',
  );
  const edited = await send(ann, 'rebuild lag', 'We hold the checkpoint after every event, so at most 1 is lost');
  for (const content of [
    'We hold the checkpoint once per commit, so at most 128 are lost',
    'We hold it once per commit',
  ])
    await ann.ok('PATCH', `/messages/${edited}`, { content });
  await send(
    ben,
    'rebuild lag',
    '```js\nfor await (const recorded of subscribe(await checkpoints.load(projection.name))) await apply(recorded);\n```',
  );
  await send(
    ann,
    'rebuild lag',
    `| name | position | lag |\n|---|---|---|\n| conversations | 104,233 | 0 |\n| words | 61,020 | 43,213 |\n\n1. one\n2. two\n   * three`,
  );
  await send(ben, 'rebuild lag', `${'averyverylongwordwithoutanyblanks'.repeat(6)} $$\\int_0^1 x^2\\,dx$$`);
  await send(ann, 'rebuild lag', '/poll Where to?\nSea\nHills that are far away and take long to get to\nnowhere');
  await send(ben, 'rebuild lag', '/todo Before\npack\nwater: the plants, all of them, on both floors');
  await send(ben, 'rebuild lag', '```spoiler How it ends\nwell\n```\n~~done~~ and :tada:');
  const asked = await send(
    ben,
    'rebuild lag',
    '@**Olive Owner** can you rebuild it tonight? A plan is in #**kiln>release 0.2**',
  );
  for (const name of ['tada', 'heart', '+1', 'eyes'])
    for (const who of [ann, ben, owner]) await who.ok('POST', `/messages/${asked}/reactions`, { emoji_name: name });
  await send(owner, 'rebuild lag', 'Tonight, then.');
  await owner.ok('POST', '/messages/flags', { messages: [asked, edited], op: 'add', flag: 'starred' });
  await send(ann, '✔ disk full', 'Solved');
  await send(ann, 'a topic whose name goes on for so long that it cannot fit', 'hm');
  await ann.sendTo([owner], 'Are you *there*?');
  await ann.sendTo([owner, ben], 'All three of us');
  await owner.ok('POST', '/drafts', {
    drafts: [{ type: 'stream', to: [kiln], topic: 'begun', content: 'half of it', timestamp: 1_700_000_000 }],
  });
  const later = Math.floor(Date.now() / 1000) + 86_400;
  const scheduled = { type: 'channel', to: kiln, topic: 'tomorrow', content: 'good morning' };
  await owner.ok('POST', '/scheduled_messages', { ...scheduled, scheduled_delivery_timestamp: later });
  await owner.ok('POST', '/saved_snippets', { title: 'Standup', content: '* yesterday\n* today' });
  await owner.ok('POST', '/user_groups/create', { name: 'potters', description: 'who throw', members: [ann.userId] });
  await owner.ok('POST', '/channel_folders/create', { name: 'Engineering', description: 'all of it' });
  await ann.ok('POST', '/users/me/status', { status_text: 'away at the sea until Monday', emoji_name: 'palm_tree' });
  await owner.ok('POST', '/users/me/alert_words', { alert_words: ['kiln'] });
}

/** What sticks out of the window at the sides. */
const sticksOut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const { document, innerWidth } = globalThis as any;
    if (Number(document.documentElement.scrollWidth) <= Number(innerWidth)) return [];
    return [...document.querySelectorAll('body *')]
      .filter((one: any) => one.getBoundingClientRect().right > Number(innerWidth) + 1)
      .map((one: any) => one.outerHTML.slice(0, 120))
      .slice(0, 5);
  });

withBrowser('looks of the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ({ owner } = pages.server);
    owner.userId = (await owner.ok('GET', '/users/me')).user_id;
    [ann, ben] = [await pages.server.user('Ann Archer'), await pages.server.user('Bilal Ahmed-Featherstonehaugh')];
    await fill();
    mkdirSync(FOLDER, { recursive: true });
    console.info(`Pictures are in ${FOLDER}.`);
  });
  afterAll(() => pages.close());

  const found: string[] = [];
  const look = async (page: Page, name: string, isDialog: boolean): Promise<void> => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      for (const theme of THEMES) {
        await page.emulateMedia(theme.media);
        const isForced = theme.name === 'forced';
        if (isForced && width !== 1280) continue;
        const at = `${name}-${theme.name}-${width}`;
        for (const one of RULED.includes(width) ? await violationsIn(page) : []) found.push(`${at}: ${one}`);
        for (const one of isDialog ? [] : await sticksOut(page)) found.push(`${at} sticks out: ${one}`);
        await page.screenshot({ path: join(FOLDER, `${at}.png`) });
      }
    }
    await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
    await page.setViewportSize({ width: 1280, height: 800 });
  };
  const nameOf = (hash: string): string => hash.replaceAll(/[^\w-]+/g, '_').slice(1, 60);

  test('of all views, full and empty', async () => {
    const [full, empty] = [await pages.signIn(owner), await pages.signIn(await pages.server.user('Newcomer'))];
    for (const hash of views()) {
      await settledAt(full, hash);
      await look(full, nameOf(hash), false);
    }
    for (const hash of ['#narrow', '#inbox', '#recent', '#since', '#drafts', ...NARROWS]) {
      await settledAt(empty, hash);
      await look(empty, `empty_${nameOf(hash)}`, false);
    }
    await look(await pages.open(), 'sign-in', false);
    expect(found.splice(0)).toEqual([]);
  }, 1_200_000);

  /** What is fetched when a view opens never comes, is refused, or cannot be asked for. */
  const TROUBLES: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
    loading: (page) => page.route('**/api/v1/**', () => undefined),
    refused: (page) =>
      page.route('**/api/v1/**', (route) =>
        route.fulfill({ status: 403, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Not allowed.' } }),
      ),
    offline: (page) => page.context().setOffline(true),
  };

  test.each(Object.keys(TROUBLES))(
    'of all views: %s',
    async (trouble) => {
      const page = await pages.signIn(owner);
      // Code comes when its view is opened for the first time.
      for (const hash of views()) await settledAt(page, hash);
      await TROUBLES[trouble]?.(page);
      for (const hash of views()) {
        await page.evaluate((to) => {
          (globalThis as any).location.hash = to;
          return new Promise((done) => (globalThis as any).requestIdleCallback(done));
        }, hash);
        await look(page, `${trouble}_${nameOf(hash)}`, false);
      }
      expect(found.splice(0)).toEqual([]);
    },
    1_200_000,
  );

  test('of all dialogs and menus', async () => {
    const page = await pages.signIn(owner);
    await settledAt(page, `#narrow/channel/${kiln}-kiln/topic/rebuild.20lag`);
    for (const [name, open] of dialogsOf(page)) {
      await open();
      await look(page, `dialog_${name}`, true);
      await page.keyboard.press('Escape');
      await page.locator('dialog[open], [popover]:popover-open').waitFor({ state: 'detached' });
    }
    expect(found.splice(0)).toEqual([]);
  }, 600_000);
});
