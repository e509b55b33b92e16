/** Channels of the chat page, in Chromium: their topics in the list of places, and a channel that is made. */
import type { Page } from 'playwright-core';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, startChatPages, violationsIn } from './chat-page.js';

let pages: ChatPages;
let ann: ApiClient;
let page: Page;

const TOPICS = 9;
const places = () => page.getByRole('navigation', { name: 'Places' });
const topics = () => places().getByRole('list', { name: 'Topics of general' });
const toggle = () => places().getByRole('button', { name: 'Topics of general' });
const topicField = () => page.getByRole('textbox', { name: 'Topic', exact: true });
const composer = () => page.getByRole('textbox', { name: /^Message/ });
const go = (hash: string): Promise<unknown> => page.evaluate((to) => ((globalThis as any).location.hash = to), hash);
const hash = (): Promise<string> => page.evaluate(() => decodeURIComponent((globalThis as any).location.hash));

withBrowser('channels of the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ann = await pages.server.user();
    for (let n = 1; n <= TOPICS; n++)
      await pages.server.owner.ok('POST', '/messages', {
        type: 'channel',
        to: 'general',
        topic: `topic ${n}`,
        content: 'hello',
      });
    await ann.ok('POST', '/mark_all_as_read');
    page = await pages.signIn(ann);
    await page.getByText('Nothing is unread.').waitFor();
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('a channel opens to its topics in place, and closes', async () => {
    expect(await toggle().getAttribute('aria-expanded')).toBe('false');
    await toggle().press('Enter');
    await topics().getByRole('link', { name: 'topic 9' }).waitFor();
    expect(await topics().getByRole('link').allTextContents()).toEqual([9, 8, 7, 6, 5, 4].map((n) => `topic ${n}`));
    // The view has not changed.
    await page.getByText('Nothing is unread.').waitFor();
    await pages.server.owner.ok('POST', '/messages', {
      type: 'channel',
      to: 'general',
      topic: 'topic 1',
      content: 'once more',
    });
    await topics().getByRole('link', { name: 'topic 1 1 unread' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await topics()
      .getByRole('button', { name: `All ${TOPICS} topics` })
      .click();
    await topics().getByRole('link', { name: 'topic 3' }).waitFor();
    expect(await topics().getByRole('link').count()).toBe(TOPICS);
    await topics().getByRole('link', { name: 'topic 3' }).click();
    await composer().waitFor();
    await toggle().click();
    await topics().waitFor({ state: 'detached' });
    await toggle().click();
    await topics().getByRole('link', { name: 'topic 3' }).and(page.locator('[aria-current=page]')).waitFor();
  });

  test('topics that cannot be loaded say so, and are asked for again', async () => {
    await toggle().click();
    await topics().waitFor({ state: 'detached' });
    await page.route('**/users/me/*/topics*', (route) => route.abort());
    await toggle().click();
    const again = topics().getByRole('button', { name: 'Topics could not be loaded. Try again' });
    await again.waitFor();
    await page.unroute('**/users/me/*/topics*');
    await again.click();
    await topics().getByRole('link', { name: 'topic 3' }).waitFor();
    await again.waitFor({ state: 'detached' });
  });

  test('a topic is begun from the list, also where the channel is shown already', async () => {
    for (const from of ['#inbox', '#narrow/channel/1-general']) {
      await go(from);
      await topics().getByRole('button', { name: 'New topic' }).press('Enter');
      await page.waitForFunction(() => (globalThis as any).document.activeElement.ariaLabel === 'Topic');
      expect(await hash()).toBe('#narrow/channel/1-general');
    }
    await page.keyboard.type('a new one');
    await composer().fill('the first');
    // The view of the topic asks for the list before the server has the message.
    await page.route('**/api/v1/messages', async (route) => {
      await asked;
      await route.continue();
    });
    const asked = page.waitForResponse((response) => response.url().includes('/topics'));
    await page.keyboard.press('Enter');
    await topics().getByRole('link', { name: 'a new one' }).and(page.locator('[aria-current=page]')).waitFor();
    await page.unroute('**/api/v1/messages');
  });

  test('a channel that is made is shown, ready for its first topic; a name in use is refused where it is typed', async () => {
    await go('#browse');
    await page.getByLabel('Name').fill('general');
    await page.getByRole('button', { name: 'Create' }).click();
    await page
      .getByRole('main')
      .getByText(/already/)
      .waitFor();
    await page.getByLabel('Name').fill(' glazes & slips ');
    await page.getByLabel('Description').fill('What is on the shelf');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'glazes & slips' }).waitFor();
    await page.waitForFunction(() => (globalThis as any).document.activeElement.ariaLabel === 'Topic');
    expect(await topicField().inputValue()).toBe('');
    await page.getByText('Nothing has been written here yet.').waitFor();
    await page.keyboard.type('celadon');
    await page.keyboard.press('Tab');
    await page.keyboard.type('two jars are left');
    await page.keyboard.press('Enter');
    await page.getByRole('article').filter({ hasText: 'two jars are left' }).locator('.rendered').waitFor();
    expect(await hash()).toMatch(/glazes.*\/topic\/celadon$/);
    // Whoever has begun it goes on writing there.
    await page.waitForFunction(() => (globalThis as any).document.activeElement.ariaLabel?.endsWith('› celadon'));
    await page.keyboard.type('and one of ash');
    expect(await composer().inputValue()).toBe('and one of ash');
  });

  test('the topic that is begun keeps the focus where the server has written of the new channel', async () => {
    await pages.server.owner.ok('PATCH', '/realm', { send_channel_events_messages: true });
    await go('#browse');
    await page.getByLabel('Name').fill('kilns');
    await page.keyboard.press('Enter');
    await page.getByRole('article').filter({ hasText: 'Notification Bot' }).waitFor();
    await page.waitForFunction(() => (globalThis as any).document.activeElement.ariaLabel === 'Topic');
    for (const letter of 'firing') await page.keyboard.press(letter);
    expect(await topicField().inputValue()).toBe('firing');
    await pages.server.owner.ok('PATCH', '/realm', { send_channel_events_messages: false });
  });
});
