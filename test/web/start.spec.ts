/** What a page shows before the server has told it anything new, in Chromium. */
import type { Page, Request } from 'playwright-core';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, keptIn, startChatPages } from './chat-page.js';

let pages: ChatPages;
let ann: ApiClient;
let ben: ApiClient;

const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name });
/** Answers of registrations wait until they are let go. */
async function hold(page: Page): Promise<() => void> {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/api/v1/register', async (route) => {
    await held;
    await route.continue();
  });
  return letGo;
}
withBrowser('the start of the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    [ann, ben] = [await pages.server.user('Ann Archer'), await pages.server.user('Ben Baker')];
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('the last state stands at once, and is brought up to date', async () => {
    const page = await pages.signIn(ann);
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'kiln' }] });
    await place(page, 'kiln').waitFor();
    await keptIn(page);
    const letGo = await hold(page);
    await page.reload();
    await place(page, 'kiln').waitFor();
    await page.getByText('connecting…').waitFor();
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'oven' }] });
    expect(await place(page, 'oven').count()).toBe(0);
    letGo();
    await place(page, 'oven').waitFor();
    await page.getByText('live', { exact: true }).waitFor();
  });

  test('signing out forgets it, and nobody else sees it', async () => {
    const page = await pages.signIn(ann);
    await place(page, 'kiln').waitFor();
    await keptIn(page);
    await page.route('**/api/v1/messages', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    await page.evaluate(() => ((globalThis as any).location.hash = '#narrow/channel/1-general/topic/whose'));
    const composer = page.getByRole('textbox', { name: /^Message / });
    await composer.fill('by Ann alone');
    await composer.press('Enter');
    await page.locator('[role=article]', { hasText: 'by Ann alone' }).waitFor();
    // Another session begins in this browser, without this page.
    await page.context().clearCookies();
    const other = await page.context().newPage();
    await other.goto(pages.server.url);
    await other.getByLabel('E-mail address').fill(ben.email);
    await other.getByLabel('Password').fill(`the password of ${ben.fullName}`);
    await other.keyboard.press('Enter');
    await place(other, 'general').waitFor();
    // What the page of the first one still has to send is not sent by the second one: it asks first whose the session is.
    const isAsked = (request: Request): boolean =>
      request.url().endsWith('/api/v1/session') ||
      (request.method() === 'POST' && request.url().endsWith('/api/v1/messages'));
    const first = page.waitForRequest(isAsked);
    await page.unroute('**/api/v1/messages');
    await page.evaluate(() => dispatchEvent(new Event('online')));
    expect(new URL((await first).url()).pathname).toBe('/api/v1/session');
    await page.getByText(/Your session has ended/).waitFor();
    const narrow = [{ operator: 'topic', operand: 'whose' }];
    const { messages } = await ben.ok('GET', '/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
    expect(messages).toEqual([]);
    await keptIn(other);
    const letGo = await hold(other);
    await other.reload();
    await place(other, 'general').waitFor();
    expect(await place(other, 'kiln').count()).toBe(0);
    letGo();
    await other.getByText('live', { exact: true }).waitFor();
    await other.getByRole('button', { name: 'Signed in as Ben Baker' }).click();
    await other.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.getByLabel('E-mail address').waitFor();
    const left = await other.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = (globalThis as any).indexedDB.open('scrollback', 1);
          opening.onsuccess = () => {
            const asked = opening.result.transaction('states').objectStore('states').count();
            asked.onsuccess = () => resolve(asked.result);
          };
        }),
    );
    expect(left).toBe(0);
  });

  test('a registration whose answer comes after another session has begun is not kept in that one', async () => {
    const page = await pages.signIn(ann);
    const other = await page.context().newPage();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/api/v1/events?*', () => undefined);
    const answered = new Promise<void>((resolve) => {
      void page.route('**/api/v1/register', async (route) => {
        const response = await route.fetch();
        resolve();
        await held;
        await route.fulfill({ response });
      });
    });
    await page.reload();
    await answered;
    await page.context().clearCookies();
    await other.goto(pages.server.url);
    await other.getByLabel('E-mail address').fill(ben.email);
    await other.getByLabel('Password').fill(`the password of ${ben.fullName}`);
    await other.keyboard.press('Enter');
    await place(other, 'general').waitFor();
    await keptIn(other);
    letGo();
    await page.getByText('live', { exact: true }).waitFor();
    await keptIn(page);
    const keys = await other.evaluate(
      () =>
        new Promise((resolve) => {
          const opening = (globalThis as any).indexedDB.open('scrollback', 1);
          opening.onsuccess = () => {
            const asked = opening.result.transaction('states').objectStore('states').getAllKeys();
            asked.onsuccess = () => resolve(asked.result);
          };
        }),
    );
    expect(keys).toEqual([ben.userId]);
    await page.context().close();
  });

  test.each([
    ['forbidden', 'indexedDB.open = () => { throw new DOMException("no", "SecurityError"); }'],
    ['full', 'IDBObjectStore.prototype.put = () => { throw new DOMException("no", "QuotaExceededError"); }'],
    ['silent', 'indexedDB.open = () => ({})'],
  ])('a browser whose IndexedDB is %s starts as if nothing had been kept', async (_, script) => {
    const page = await pages.open();
    await page.addInitScript(script.replace(/^indexedDB/, 'IDBFactory.prototype'));
    await page.reload();
    await page.getByLabel('E-mail address').fill(ann.email);
    await page.getByLabel('Password').fill(`the password of ${ann.fullName}`);
    await page.keyboard.press('Enter');
    await place(page, 'kiln').waitFor();
    await page.evaluate(() => ((globalThis as any).location.hash = '#narrow/channel/1-general/topic/words'));
    const composer = page.getByRole('textbox', { name: /^Message / });
    await composer.fill('not lost');
    await page.evaluate(() => dispatchEvent(new Event('pagehide')));
    await page.reload();
    await place(page, 'kiln').waitFor();
    expect(await composer.inputValue()).toBe('not lost');
    await composer.fill('');
  });

  test('who is alone in an organization is led to inviting others, until somebody is there', async () => {
    const alone = await startChatPages();
    try {
      const page = await alone.signIn(alone.server.owner);
      const invite = page.getByRole('link', { name: 'Invite people' });
      await invite.click();
      await page.getByRole('button', { name: 'Create a link' }).waitFor();
      await page.goBack();
      await invite.waitFor();
      await alone.server.user();
      await invite.waitFor({ state: 'detached' });
      expect(alone.complaints).toEqual([]);
    } finally {
      await alone.close();
    }
  });
});
