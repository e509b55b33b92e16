/** What happened while the reader was away, and earlier wordings, in the chat page, in Chromium. */
import type { Page } from 'playwright-core';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, startChatPages, violationsIn } from './chat-page.js';

let pages: ChatPages;
let ann: ApiClient;
let page: Page;

const go = (hash: string): Promise<unknown> => page.evaluate((to) => ((globalThis as any).location.hash = to), hash);
const row = (text: string) => page.locator('[role=article]', { hasText: text });
const sendAs = async (who: ApiClient, topic: string, content: string): Promise<number> =>
  (await who.ok('POST', '/messages', { type: 'channel', to: 'general', topic, content })).id;

withBrowser('what is news in the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ann = await pages.server.user('Ann Archer');
    page = await pages.signIn(ann);
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('who comes back after a while is told what happened, by conversation', async () => {
    const { owner } = pages.server;
    await page.getByRole('link', { name: 'Inbox' }).first().waitFor();
    expect(await page.getByRole('link', { name: /Since you left/ }).count()).toBe(0);
    const mine = await sendAs(ann, 'release', 'mine');
    await sendAs(owner, 'release', '@**Ann Archer** look at this');
    const old = await sendAs(owner, 'release', 'old wording');
    await owner.ok('PATCH', `/messages/${old}`, { content: 'new wording' });
    await owner.ok('POST', `/messages/${mine}/reactions`, { emoji_name: 'tada' });
    const moved = await sendAs(ann, 'wrong place', 'to be moved');
    await owner.ok('PATCH', `/messages/${moved}`, { topic: 'right place' });
    // An hour ago, as far as this browser knows.
    const key = `chat/${ann.userId}/here`;
    await page.addInitScript((name) => {
      const kept = globalThis as any;
      if (kept.sessionStorage.getItem('away') !== null) return;
      kept.sessionStorage.setItem('away', 'yes');
      kept.localStorage.setItem(name, String(Math.floor(Date.now() / 1000) - 3600));
    }, key);
    await page.reload();
    await page.getByRole('link', { name: /^Since you left, 6\d min$/ }).click();
    await page.getByText('You: 1 mention · 1 reaction · 1 message of yours moved').waitFor();
    const main = page.getByRole('main');
    await main.getByText('Olive Owner mentioned you').waitFor();
    await main.getByText('2 messages from Olive Owner · 1 message edited').waitFor();
    await main.getByText('1 message moved here').waitFor();
    await main.getByText('🎉 Olive Owner').waitFor();
    for (const [scheme, color_scheme] of [
      ['light', 3],
      ['dark', 2],
    ] as const) {
      await ann.ok('PATCH', '/settings', { color_scheme });
      await page.waitForFunction(
        (theme) => (globalThis as any).document.documentElement.dataset.theme === theme,
        scheme,
      );
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect([scheme, width, await violationsIn(page)]).toEqual([scheme, width, []]);
        const { SCREENSHOTS: folder } = process.env;
        if (folder !== undefined) await page.screenshot({ path: `${folder}/since-${scheme}-${width}.png` });
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await main
      .getByRole('link', { name: /general › release/ })
      .first()
      .click();
    await row('look at this').waitFor();
  });

  test('what is too long ago says so, and leads on', async () => {
    await go('#since/1');
    await page.getByRole('alert').filter({ hasText: 'too long ago' }).getByRole('link', { name: 'Inbox' }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await go('#since/then');
    await page.getByText('The link names no time.').waitFor();
    // Since they left, an hour ago.
    await go('#since');
    await page.getByText('You: 1 mention · 1 reaction · 1 message of yours moved').waitFor();
    await go(`#since/${Math.floor(Date.now() / 1000)}`);
    await page.getByText('Nothing has happened in your conversations.').waitFor();
  });

  test('an earlier wording is shown where the message is, stepped through, and restored as an edit', async () => {
    const { owner } = pages.server;
    const id = await sendAs(ann, 'wordings', 'the first wording');
    await ann.ok('PATCH', `/messages/${id}`, { content: 'the second wording' });
    await ann.ok('PATCH', `/messages/${id}`, { content: 'the third wording' });
    await go('#narrow/channel/1-general/topic/wordings');
    await row('third')
      .getByRole('button', { name: /^edited/ })
      .click();
    const history = page.getByRole('region', { name: 'History of this message' });
    await history.getByText(/version 3 of 3/).waitFor();
    expect(await history.locator('.highlight_text_inserted').allTextContents()).toEqual(['third']);
    expect(await history.locator('.highlight_text_deleted').allTextContents()).toEqual(['second']);
    await history.getByRole('button', { name: 'One change back' }).focus();
    await page.keyboard.press(',');
    await history.getByText(/version 2 of 3/).waitFor();
    await page.keyboard.press(',');
    await history.getByText(/version 1 of 3/).waitFor();
    // The conversation itself has not gone into the past.
    expect(page.url()).not.toContain('as-of');
    expect(await violationsIn(page)).toEqual([]);
    await history.getByRole('slider').fill('2');
    await history.getByText(/version 2 of 3/).waitFor();
    await history.getByRole('slider').fill('1');
    // Somebody else was faster: nothing is overwritten.
    await page.route('**/api/v1/messages/*', async (route) => {
      if (route.request().method() === 'PATCH') await ann.ok('PATCH', `/messages/${id}`, { content: 'in between' });
      await route.continue();
    });
    await history.getByRole('button', { name: 'Restore this wording' }).click();
    await history.getByRole('alert').waitFor();
    await page.unroute('**/api/v1/messages/*');
    await history.getByText(/version 4 of 4/).waitFor();
    await history.getByRole('slider').fill('1');
    await history.getByRole('button', { name: 'Restore this wording' }).click();
    await history.getByText(/version 5 of 5/).waitFor();
    const { message_history: versions } = await owner.ok('GET', `/messages/${id}/history`);
    expect(versions.map(({ content }: { content: string }) => content)).toEqual([
      'the first wording',
      'the second wording',
      'the third wording',
      'in between',
      'the first wording',
    ]);
  });
});
