/** Where the focus of the chat page is, for somebody who has a keyboard alone. In Chromium. */
import type { Page } from 'playwright-core';
import { until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, startChatPages } from './chat-page.js';

let pages: ChatPages;
let owner: ApiClient;
let page: Page;

const row = (text: string) => page.locator('[role=article]', { hasText: text });
const heading = (name: string | RegExp): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();
const press = async (...keys: string[]): Promise<void> => {
  for (const key of keys) await page.keyboard.press(key);
};
/** What has the focus: the kind of element, or the name of a control. */
const focused = (): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: one } = (globalThis as any).document;
    return one.ariaLabel ?? one.id ?? one.tagName;
  });
const isMain = (): Promise<void> => until(async () => (await focused()) === 'main');
/** Waits until a message has the focus. */
const isOn = (text: string): Promise<void> => row(text).and(page.locator(':focus')).waitFor();
const send = (topic: string, content: string): Promise<{ readonly id: number }> =>
  owner.ok('POST', '/messages', { type: 'channel', to: 'general', topic, content });
const go = (hash: string): Promise<unknown> => page.evaluate((to) => ((globalThis as any).location.hash = to), hash);

/** Goes to a topic, and to one of its messages by keys, from the last one. */
async function open(topic: string, text: string, ...keys: string[]): Promise<void> {
  await go(`#narrow/channel/1-general/topic/${topic}`);
  await heading(topic);
  await row(text).waitFor();
  await page.getByRole('textbox', { name: /^Message / }).press('Escape');
  await press(...keys);
  await isOn(text);
}

withBrowser('the focus of the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ({ owner } = pages.server);
    for (const content of ['one', 'two', 'three']) await send('plans', content);
    await owner.ok('POST', '/mark_all_as_read');
    const other = await pages.server.user();
    await other.ok('POST', '/messages', { type: 'channel', to: 'general', topic: 'news', content: 'unread' });
    page = await pages.signIn(owner);
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('after signing in it is on the view, and on it again after the help', async () => {
    await isMain();
    await press('?');
    await page.getByRole('dialog').waitFor();
    await press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isMain();
    await press('j');
    expect(await page.evaluate(() => (globalThis as any).document.activeElement.textContent)).toBe('news');
    // Marked as read, the only one that is unread goes.
    await press('e');
    await page.getByText('Nothing is unread.').waitFor();
    await isMain();
  });

  test('it is on what is read after a key that leads to another view, and j and k lead there from the places', async () => {
    await open('plans', 'three');
    await press('i');
    await heading('Inbox');
    await isMain();
    await open('plans', 'three');
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'plans' }).focus();
    await press('k');
    await isOn('three');
    await press('k');
    await isOn('two');
    // From a button beside the messages as well.
    await page.getByRole('button', { name: 'This topic' }).focus();
    await press('j');
    await isOn('two');
    for (const [hash, title] of [
      ['#settings', 'Settings'],
      ['#organization', 'Organization'],
    ] as const) {
      await open('plans', 'three');
      await go(hash);
      await heading(title);
      await isMain();
      await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Inbox' }).focus();
      await press('j');
      await isMain();
    }
  });

  test('it goes on to the next message from one that is deleted, or moved', async () => {
    await open('plans', 'two', 'k');
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter');
    await row('two').waitFor({ state: 'detached' });
    await isOn('three');
    await press('k');
    await isOn('one');
    await press('Enter');
    await page.getByRole('menuitem', { name: 'Move…' }).press('Enter');
    await page.getByRole('combobox', { name: 'Topic' }).waitFor();
    await page.keyboard.type('ideas');
    await press('Enter');
    await row('one').waitFor({ state: 'detached' });
    await isOn('three');
    // By somebody else, and the last one.
    await owner.ok('DELETE', `/messages/${(await send('plans', 'four')).id}`);
    const { id } = await send('plans', 'five');
    await row('five').waitFor();
    await press('j');
    await isOn('five');
    await owner.ok('DELETE', `/messages/${id}`);
    await row('five').waitFor({ state: 'detached' });
    await isOn('three');
  });

  test('Escape leads from the composer to what is read, also far from the last message', async () => {
    for (let sent = 0; sent < 300; sent += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => send('many', `number ${sent + index}`)));
    await owner.ok('POST', '/mark_all_as_read');
    await go('#narrow/channel/1-general/topic/many');
    await heading('many');
    const last = row('number 29').last();
    await last.waitFor();
    const newest = await last.getAttribute('data-order');
    const scroller = page.getByRole('feed').locator('..');
    // Rows come and go while the reader is on the way.
    await until(async () => {
      await scroller.evaluate((one: any) => one.scrollBy(0, -2000));
      return await page.getByText('The history begins here.').isVisible();
    });
    expect(await page.locator(`[data-order="${newest}"]`).count()).toBe(0);
    await page.getByRole('textbox', { name: /^Message / }).press('Escape');
    await page.locator('[role=article]:focus').waitFor();
    const isNowhere = (): Promise<boolean> =>
      page.evaluate(() => {
        const { document } = globalThis as any;
        return document.activeElement === document.body;
      });
    // Whoever has let go of it keeps it nowhere, also when what had it leaves the document.
    const had = await page.locator(':focus').getAttribute('data-order');
    await page.getByRole('banner').click({ position: { x: 5, y: 5 } });
    expect(await isNowhere()).toBe(true);
    await until(async () => {
      await scroller.evaluate((one: any) => one.scrollBy(0, 2000));
      return (await page.locator(`[data-order="${had}"]`).count()) === 0;
    });
    expect(await isNowhere()).toBe(true);
  });

  test('it stays on the rail on the way into the past and back, and on the messages by their keys', async () => {
    await open('plans', 'three');
    const rail = page.getByRole('slider', { name: /Times at which/ });
    await rail.waitFor();
    // The key comes before the times at which the conversation changed.
    let answer = (): void => undefined;
    const isPressed = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/past/moments*', async (route) => {
      await isPressed;
      await route.continue();
    });
    await rail.focus();
    const name = await focused();
    await press('Home');
    answer();
    await page.getByRole('button', { name: 'Back to now' }).waitFor();
    await page.unroute('**/past/moments*');
    await until(async () => (await focused()) === name);
    await press('End');
    await page.getByRole('textbox', { name: /^Message / }).waitFor();
    await until(async () => (await focused()) === name);
    await page.getByRole('button', { name: 'One change back' }).press('Enter');
    await page.getByRole('button', { name: 'Back to now' }).waitFor();
    await until(async () => (await focused()) === 'One change back');
    // At the first change it is turned off.
    await until(async () => {
      await press('Enter');
      return (await focused()) === name;
    });
    await press('Escape');
    await page.getByRole('textbox', { name: /^Message / }).waitFor();
    await isOn('three');
    await press(',');
    await page.getByRole('button', { name: 'Back to now' }).waitFor();
    await isMain();
    await row('three').waitFor();
    await press('j');
    await isOn('three');
    await press('Escape');
    await page.getByRole('textbox', { name: /^Message / }).waitFor();
    await isOn('three');
  });
});
