/**
 * Every view of the chat page in Chromium: what it says to a screen reader (the snapshots beside this file are reviewed), the way through
 * it by Tab alone, and that nothing hostile in it runs or asks somebody else.
 */
import type { Page } from 'playwright-core';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, OF_COLOURS, SECTIONS, settledAt, startChatPages, violationsIn } from './chat-page.js';
import { dialogsOf } from './dialogs.js';

let pages: ChatPages;
let ann: ApiClient;
let page: Page;
/** Addresses outside of the server that were asked for, and reports of broken policies. */
const [outside, reports]: [string[], string[]] = [[], []];

const sendAs = (who: ApiClient, topic: string, content: string) =>
  who.ok('POST', '/messages', { type: 'channel', to: 'general', topic, content });

const TOPIC = '#narrow/channel/1-general/topic/plans';
const VIEWS = [
  '#inbox',
  '#recent',
  '#drafts',
  '#browse',
  '#browse/1',
  '#people',
  '#narrow',
  '#narrow/is/starred',
  '#narrow/channel/1-general',
  TOPIC,
  '#narrow/search/plan',
  ...SECTIONS.settings,
  ...SECTIONS.organization,
];

/** Times and made names are other ones in each run. */
const steady = (snapshot: string): string =>
  snapshot
    .replaceAll(/\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]m)?\b/gi, 'TIME')
    .replaceAll(/\b(?:\w{3,9},? )?\d{1,2} \w{3,9}(?:,? \d{4})?(?=[,\s"]|$)/gm, (found) =>
      /jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec/i.test(found) ? 'DATE' : found,
    )
    .replaceAll(/\b\d{1,2}\/\d{1,2}\/\d{4}\b/g, 'DATE')
    .replaceAll(/(\/url: ).*/g, '$1…')
    .replaceAll(/User A\d+/g, 'Somebody')
    .replaceAll(/user\.a\d+@/g, 'somebody@');

async function settled(hash: string): Promise<void> {
  await settledAt(page, hash);
  if (hash === TOPIC) await page.getByRole('slider').waitFor();
}

async function shown(hash: string): Promise<string> {
  await settled(hash);
  return steady(await page.getByRole('main').ariaSnapshot());
}

const THEMES = [
  [{ colorScheme: 'light', forcedColors: 'none' }, undefined],
  [{ colorScheme: 'dark', forcedColors: 'none' }, OF_COLOURS],
  [{ colorScheme: 'dark', forcedColors: 'active' }, OF_COLOURS],
] as const;

withBrowser('every view of the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ann = await pages.server.user();
    const { id } = await sendAs(pages.server.owner, 'plans', 'A plan for **everybody**');
    await ann.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    await ann.ok('POST', '/drafts', {
      drafts: [{ type: 'stream', to: [1], topic: 'begun', content: 'half of it', timestamp: 1_700_000_000 }],
    });
    await sendAs(ann, 'plans', '/poll Where to?\nSea\nHills');
    await sendAs(ann, 'plans', '/todo Before\npack');
    await ann.ok('POST', '/mark_all_as_read');
    page = await pages.signIn(ann);
    page.on('request', (request) => {
      const url = request.url();
      if (url.includes('/csp-reports')) reports.push(request.postData() ?? '');
      else if (!/^(?:data|blob):/.test(url) && !url.startsWith(pages.server.url)) outside.push(url);
    });
    // Once all parts are loaded, each view is there as a whole.
    for (const hash of VIEWS) await settled(hash);
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('what is unread, the places, the bar and the list of keys say the same', async () => {
    await settled('#inbox');
    await sendAs(pages.server.owner, 'plans', 'one more');
    await page.getByRole('main').getByText('Olive Owner: one more').waitFor();
    for (const part of [
      page.getByRole('main'),
      page.getByRole('navigation', { name: 'Places' }),
      page.getByRole('banner'),
    ])
      expect(steady(await part.ariaSnapshot())).toMatchSnapshot();
    // When it is read on scrolling is not the same each time.
    await ann.ok('POST', '/mark_all_as_read');
    await page.getByText('Nothing is unread.').waitFor();
    await page.keyboard.press('?');
    expect(steady(await page.getByRole('dialog').ariaSnapshot())).toMatchSnapshot();
    // Without a button, nobody could scroll it by keys, nor close it by a touch.
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test.each(VIEWS)('%s says the same to a screen reader, and Tab leads through it and out again', async (hash) => {
    expect(await shown(hash)).toMatchSnapshot();
    // From the beginning, wherever the focus was.
    await page.evaluate(() => {
      const { body } = (globalThis as any).document;
      body.tabIndex = -1;
      body.focus();
      body.removeAttribute('tabindex');
    });
    const found: { readonly name: string; readonly isInMain: boolean; readonly isSeen: boolean }[] = [];
    for (let presses = 0; presses < 400; presses++) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const { document } = globalThis as any;
        const one = document.activeElement;
        const box = one.getBoundingClientRect();
        return {
          name: `${one.tagName} ${one.getAttribute('aria-label') ?? one.textContent.slice(0, 30)}`,
          isInMain: one.closest('main') !== null,
          isSeen: box.width > 0 && box.height > 0 && one.checkVisibility({ visibilityProperty: true }),
          isBody: one === document.body,
        };
      });
      if (at.isBody) break;
      found.push(at);
    }
    expect(found.filter(({ isSeen }) => !isSeen)).toEqual([]);
    expect(found.length).toBeLessThan(400);
    const offered = await page.getByRole('main').locator('a, button, input, select, textarea').count();
    expect([hash, found.some(({ isInMain }) => isInMain)]).toEqual([hash, offered > 0]);
  });

  test('axe finds nothing in any dialog and menu, in light and dark and with forced colours', async () => {
    await sendAs(ann, 'plans', 'mine');
    await settled(TOPIC);
    await page.getByText('mine', { exact: true }).waitFor();
    for (const [name, open] of dialogsOf(page)) {
      await open();
      for (const [media, rules] of THEMES) {
        await page.emulateMedia(media);
        expect([name, media, await violationsIn(page, rules)]).toEqual([name, media, []]);
      }
      await page.emulateMedia({ colorScheme: null, forcedColors: null });
      await page.keyboard.press('Escape');
      await page.locator('dialog[open], [popover]:popover-open').waitFor({ state: 'detached' });
    }
    await page.getByRole('textbox', { name: /^Message / }).fill('');
  });

  test('the administration says the same to a screen reader of an administrator', async () => {
    const [members, { owner }] = [page, pages.server];
    page = await pages.signIn(owner);
    for (const hash of [...SECTIONS.organization, '#browse/1', '#people'])
      expect(`${hash}\n${await shown(hash)}`).toMatchSnapshot();
    await page.context().close();
    page = members;
  });

  test('names, texts and files that are hostile run nothing in any view, and ask nobody else', async () => {
    const { owner } = pages.server;
    const evil = '<img src=https://evil.test/x onerror=globalThis.harmed=true>';
    const short = '<svg onload=globalThis.harmed=1>';
    await ann.ok('PATCH', '/settings', { full_name: evil.replace('>', '') });
    await owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: short, description: evil }],
      principals: [ann.userId],
    });
    await owner.ok('POST', '/user_groups/create', { name: `${short}g`, description: evil, members: [ann.userId] });
    await owner.ok('POST', '/channel_folders/create', { name: short, description: evil });
    await owner.ok('POST', '/realm/filters', {
      pattern: `${short}(?P<n>x)`,
      url_template: 'https://t.example.com/{n}',
    });
    const play = { name: short, pygments_language: 'Python', url_template: 'https://p.example.com/{code}' };
    await owner.ok('POST', '/realm/playgrounds', play);
    await ann.ok('POST', '/users/me/alert_words', { alert_words: [short] });
    await ann.ok('POST', '/users/me/status', { status_text: short, emoji_name: 'palm_tree' });
    await ann.ok('POST', '/saved_snippets', { title: short, content: evil });
    const later = Math.floor(Date.now() / 1000) + 86_400;
    const { id } = await sendAs(ann, short, `${evil}\n[${evil}](javascript:globalThis.harmed=1)`);
    await ann.ok('POST', '/reminders', { message_id: id, scheduled_delivery_timestamp: later, note: evil });
    const scheduled = { type: 'channel', to: 1, topic: short, content: evil, scheduled_delivery_timestamp: later };
    await ann.ok('POST', '/scheduled_messages', scheduled);
    await ann.ok('POST', '/drafts', {
      drafts: [{ type: 'stream', to: [1], topic: short, content: evil, timestamp: 1_700_000_000 }],
    });
    await sendAs(ann, short, `/poll ${evil}\n${evil}`);
    await sendAs(ann, short, `/todo ${evil}\n${short}: ${evil}`);
    const topic = encodeURIComponent(short).replaceAll('.', '%2E').replaceAll('%', '.');
    for (const hash of [...VIEWS, `#people/${ann.userId}`, `#narrow/channel/1-general/topic/${topic}`])
      await settled(hash);
    await page.getByRole('button', { name: 'Saved snippets' }).click();
    await page.getByRole('dialog').getByText(evil).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('channel:<');
    await page.getByRole('option', { name: `channel:${short}` }).waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => (globalThis as any).harmed)).toBeUndefined();
    expect([outside, reports]).toEqual([[], []]);
  });
});
