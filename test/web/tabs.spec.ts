/** Several tabs of one browser, in Chromium: one polls, and all follow. */
import { sized, until } from '#testing';
import type { Page } from 'playwright-core';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, settledAt, startChatPages } from './chat-page.js';

let pages: ChatPages;
let ann: ApiClient;

const TOPIC = '#narrow/channel/1-general/topic/tabs';
const TABS = sized({ nightly: 10, usual: 4 });
const row = (page: Page, text: string) => page.locator('[role=article]', { hasText: text });
const sendAs = (who: ApiClient, content: string) =>
  who.ok('POST', '/messages', { type: 'channel', to: 'general', topic: 'tabs', content });

withBrowser('tabs of the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ann = await pages.server.user();
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('of many tabs one polls, all show what comes, and a closed one is replaced at once', async () => {
    const { owner } = pages.server;
    const first = await pages.signIn(ann);
    const context = first.context();
    const polls = new Map<Page, number>();
    const registrations = new Map<Page, number>();
    const count = (page: Page): void => {
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        const counts = pathname.endsWith('/events')
          ? polls
          : pathname.endsWith('/register')
            ? registrations
            : undefined;
        counts?.set(page, (counts.get(page) ?? 0) + 1);
      });
    };
    count(first);
    await sendAs(owner, 'before');
    const tabs = [first];
    await first.goto(`${pages.server.url}/${TOPIC}`);
    await row(first, 'before').waitFor();
    for (let n = 1; n < TABS; n++) {
      const page = await context.newPage();
      count(page);
      tabs.push(page);
      await page.goto(`${pages.server.url}/${TOPIC}`);
      await row(page, 'before').waitFor();
    }
    await sendAs(owner, 'to all');
    for (const page of tabs) await row(page, 'to all').waitFor();
    // The others have neither registered nor polled.
    expect([...polls.keys(), ...registrations.keys()].filter((page) => page !== first)).toEqual([]);

    // A tab that follows sends, and its own row settles.
    const [, second] = tabs as [Page, Page, ...Page[]];
    const composer = second.getByRole('textbox', { name: /^Message / });
    await composer.fill('from a follower');
    await composer.press('Enter');
    await row(second, 'from a follower').locator('.rendered').waitFor();
    for (const page of tabs) await row(page, 'from a follower').locator('.rendered').waitFor();

    await first.close();
    await sendAs(owner, 'after the first is gone');
    const rest = tabs.slice(1);
    for (const page of rest) await row(page, 'after the first is gone').waitFor();
    expect(polls.size).toBe(2);
    // The next one goes on with the same queue: nobody has registered again.
    expect([...registrations.keys()].filter((page) => page !== first)).toEqual([]);
    const shown = await Promise.all(
      rest.map((page) =>
        page.locator('[role=article] .rendered').evaluateAll((all) => all.map((one: any) => one.textContent.trim())),
      ),
    );
    const wanted = ['before', 'to all', 'from a follower', 'after the first is gone'];
    expect(shown).toEqual(rest.map(() => wanted));

    // A queue that the server has dropped: all get another state, and nothing is missing.
    const queues: string[] = [];
    for (const page of rest)
      page.on('request', (request) => queues.push(new URL(request.url()).searchParams.get('queue_id') ?? ''));
    await sendAs(owner, 'makes a poll');
    for (const page of rest) await row(page, 'makes a poll').waitFor();
    const queue = queues.find((id) => id !== '');
    if (queue !== undefined) await ann.ok('DELETE', '/events', { queue_id: queue });
    await sendAs(owner, 'with another queue');
    for (const page of rest) await row(page, 'with another queue').waitFor();
    await context.close();
  });

  test('without locks each tab polls for itself, and a hidden one only once a minute', async () => {
    const { owner } = pages.server;
    const seen = await pages.signIn(ann);
    await seen.addInitScript(() => {
      Reflect.deleteProperty((globalThis as any).Navigator.prototype, 'locks');
    });
    await seen.goto(`${pages.server.url}/${TOPIC}`);
    await seen.reload();
    await row(seen, 'before').waitFor();
    const look = (state: 'hidden' | 'visible'): Promise<unknown> =>
      seen.evaluate((next) => {
        const { document, Event } = globalThis as any;
        Object.defineProperty(document, 'visibilityState', { configurable: true, value: next });
        document.dispatchEvent(new Event('visibilitychange'));
      }, state);
    const open = new Set<string>();
    const asked: string[] = [];
    const isPoll = (url: string): boolean => new URL(url).pathname.endsWith('/events');
    seen.on('request', (request) => {
      if (!isPoll(request.url())) return;
      open.add(request.url());
      asked.push(request.url());
    });
    const end = (request: { url(): string }): void => void open.delete(request.url());
    seen.on('requestfinished', end);
    seen.on('requestfailed', end);
    await sendAs(owner, 'makes it poll');
    await row(seen, 'makes it poll').waitFor();
    await seen.clock.install();
    await look('hidden');
    await until(() => open.size === 0);
    asked.length = 0;
    await sendAs(owner, 'while it is hidden');
    expect(await row(seen, 'while it is hidden').count()).toBe(0);
    expect(asked).toEqual([]);
    await seen.clock.fastForward(61_000);
    await row(seen, 'while it is hidden').waitFor();
    expect(asked.map((url) => new URL(url).searchParams.get('dont_block'))).toEqual(['true']);
    await until(() => open.size === 0);
    await sendAs(owner, 'until it is seen');
    await look('visible');
    await row(seen, 'until it is seen').waitFor();
    await seen.context().close();
  });

  test('a session that ends is signed in again in one tab, and all go on', async () => {
    const { owner } = pages.server;
    const first = await pages.signIn(ann);
    await first.goto(`${pages.server.url}/${TOPIC}`);
    const second = await first.context().newPage();
    await second.goto(`${pages.server.url}/${TOPIC}`);
    for (const page of [first, second]) await row(page, 'before').waitFor();
    await first.context().clearCookies();
    await sendAs(owner, 'ends the poll');
    await second.getByText(/Your session has ended/).waitFor();
    await second.getByLabel('E-mail address').fill(ann.email);
    await second.getByLabel('Password').fill(`the password of ${ann.fullName}`);
    await second.keyboard.press('Enter');
    for (const page of [first, second]) await page.getByText(/Your session has ended/).waitFor({ state: 'detached' });
    await sendAs(owner, 'goes on');
    for (const page of [first, second]) await row(page, 'goes on').waitFor();
    // Also what it sends: the session is another one, of the same account.
    const composer = first.getByRole('textbox', { name: /^Message / });
    await composer.fill('sent by the first');
    await composer.press('Enter');
    await row(second, 'sent by the first').locator('.rendered').waitFor();
  });

  test('what a tab of another account does and asks is not done and answered for whoever has signed in since', async () => {
    const { owner } = pages.server;
    const ben = await pages.server.user('Ben Baker');
    const { id } = await owner.ok('POST', '/messages', {
      type: 'channel',
      to: 'general',
      topic: 'whose',
      content: 'x',
    });
    await owner.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    const { user_id: ownerId } = await owner.ok('GET', '/users/me');
    const settingsOf = async (who: ApiClient) => (await who.ok('POST', '/register', {})).user_settings;
    const before = await settingsOf(ben);
    const signInAs = async (page: Page, who: ApiClient): Promise<void> => {
      await page.getByLabel('E-mail address').fill(who.email);
      await page.getByLabel('Password').fill(`the password of ${who.fullName}`);
      await page.keyboard.press('Enter');
    };
    const signedOut = (page: Page) => page.getByRole('dialog').getByText(/Your session has ended/);
    const acts: readonly (readonly [act: (page: Page) => Promise<unknown>, next: ApiClient])[] = [
      [(page) => page.getByRole('button', { name: /reacted with :tada:/ }).click(), ann],
      [
        (page) => page.evaluate(() => ((globalThis as any).location.hash = 'narrow/channel/1-general/topic/another')),
        ben,
      ],
      [
        (page) =>
          page
            .locator('input[type=file]')
            .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') }),
        ben,
      ],
    ];
    for (const [act, next] of acts) {
      const first = await pages.signIn(ann);
      await settledAt(first, '#narrow/channel/1-general/topic/whose');
      await first.getByRole('button', { name: /reacted with :tada:/ }).waitFor();
      await first.getByText('live', { exact: true }).waitFor();
      // Neither its poll nor what else it asks tells it before.
      let letGo = (): void => undefined;
      const held = new Promise<void>((resolve) => (letGo = resolve));
      await first.route('**/api/v1/events?*', (route) => held.then(() => route.continue()).catch(() => undefined));
      await first.context().clearCookies();
      const second = await first.context().newPage();
      await second.goto(pages.server.url);
      await signInAs(second, ben);
      await second.getByRole('navigation', { name: 'Places' }).waitFor();
      expect(await signedOut(first).count()).toBe(0);
      // An upload asks whose session it is.
      const refused = first.waitForResponse((one) => one.status() === 401 || one.url().endsWith('/api/v1/session'));
      await act(first);
      await refused;
      letGo();
      await signedOut(first).waitFor();
      // Whoever signs in goes on in the page of their own account alone.
      await first.evaluate(() => ((globalThis as any).isOldPage = true));
      await signInAs(first, next);
      await signedOut(first).waitFor({ state: 'detached' });
      await first.getByRole('button', { name: `Signed in as ${next.fullName}` }).waitFor();
      expect(await first.evaluate(() => (globalThis as any).isOldPage === true)).toBe(next === ann);
      await first.context().close();
    }
    const { messages } = await ben.ok('GET', '/messages', { anchor: id, num_before: 0, num_after: 0 });
    expect(messages[0].reactions.map(({ user_id }: any) => user_id)).toEqual([ownerId]);
    expect((await ben.ok('GET', '/attachments')).attachments).toEqual([]);
    expect(await settingsOf(ben)).toEqual(before);
  });
});
