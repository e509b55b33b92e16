/** The past in the chat page, in Chromium. */
import type { Page } from 'playwright-core';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { standingAt } from '../support/later.js';
import { type ChatPages, startChatPages, violationsIn } from './chat-page.js';

let pages: ChatPages;
let ann: ApiClient;
let page: Page;
/** Times at which the topic changed, ascending. */
const times: number[] = [];
const HOUR_AGO = Math.floor(Date.now() / 1000) - 3600;

/** Acts at a time. */
function act<Result>(seconds: number, work: () => Promise<Result>): Promise<Result> {
  const time = HOUR_AGO + seconds;
  times.push(time);
  return standingAt(time, work);
}

const TOPIC = '#narrow/channel/1-general/topic/lag';
const go = (hash: string): Promise<unknown> => page.evaluate((to) => ((globalThis as any).location.hash = to), hash);
const hash = (): Promise<string> => page.evaluate(() => (globalThis as any).location.hash);
const slider = () => page.getByRole('slider', { name: /Times at which/ });
const shows = async (...texts: string[]): Promise<void> => {
  await page.waitForFunction(
    (wanted) =>
      JSON.stringify(
        [...(globalThis as any).document.querySelectorAll('[role=article] .rendered')].map((one) =>
          one.textContent.trim(),
        ),
      ) === wanted,
    JSON.stringify(texts),
  );
};

withBrowser('the past in the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ann = await pages.server.user();
    const { owner } = pages.server;
    const send = async (content: string): Promise<number> =>
      (await owner.ok('POST', '/messages', { type: 'channel', to: 'general', topic: 'lag', content })).id;
    const first = await act(0, () => send('one'));
    await act(60, () => send('two'));
    await act(120, () => owner.ok('PATCH', `/messages/${first}`, { content: 'one **more**' }));
    await owner.ok('POST', `/messages/${first}/reactions`, { emoji_name: 'tada' });
    page = await pages.signIn(ann);
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('a topic is stepped back and forth by keys, and read only', async () => {
    await go(TOPIC);
    await shows('one more', 'two');
    // It loads after the messages, and its keys with it.
    await slider().waitFor();
    await page.getByRole('textbox', { name: /^Message / }).fill('a draft, with a comma');
    await page.keyboard.press('Escape');
    await page.keyboard.press(',');
    await page.getByRole('heading', { name: /as it was on/ }).waitFor();
    expect(await hash()).toBe(`${TOPIC}/as-of/${times[2]}`);
    await shows('one more', 'two');
    await page.keyboard.press(',');
    await shows('one', 'two');
    expect(await slider().getAttribute('aria-valuetext')).toContain('1 message sent');
    await page.keyboard.press(',');
    await shows('one');
    await page.keyboard.press(',');
    await shows('one');
    expect(await page.getByRole('textbox', { name: /^Message / }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /reacted with|Add a reaction|Star/ }).count()).toBe(0);
    await page.getByText('Nothing can be written into the past.').waitFor();
    await page.keyboard.press('.');
    await shows('one', 'two');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /reacted with :tada:/ }).waitFor();
    expect(await hash()).toBe(TOPIC);
    expect(await page.getByRole('textbox', { name: /^Message / }).inputValue()).toBe('a draft, with a comma');
  });

  test('by mouse, by the slider, and by an address that somebody else was given', async () => {
    // Both steps come before the times at which the conversation changed.
    let answer = (): void => undefined;
    const isAsked = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/past/moments*', async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.getByRole('button', { name: 'One change back' }).click();
    await page.getByRole('button', { name: 'One change back' }).click();
    answer();
    await shows('one', 'two');
    await page.unroute('**/past/moments*');
    await slider().focus();
    await page.keyboard.press('Home');
    await shows('one');
    await page.keyboard.press('End');
    await page.getByRole('textbox', { name: /^Message / }).waitFor();
    const other = await pages.signIn(pages.server.owner);
    await other.goto(`${pages.server.url}/${TOPIC}/as-of/${times[1]}`);
    await other.reload();
    await other.getByRole('heading', { name: /as it was on/ }).waitFor();
    await other.getByRole('status').filter({ hasText: '1 message sent' }).waitFor();
    await other.getByRole('button', { name: 'Back to now' }).click();
    await other.getByRole('button', { name: /reacted with :tada:/ }).waitFor();
  });

  test('polls and to-do lists read as they were sent, and cannot be answered', async () => {
    const { owner } = pages.server;
    const send = async (content: string): Promise<number> =>
      (await owner.ok('POST', '/messages', { type: 'channel', to: 'general', topic: 'polls', content })).id;
    const poll = await send('/poll Where to?\nSea\nHills');
    await send('/todo Release\ntag: the last commit');
    const vote = { type: 'vote', key: 'canned,0', vote: 1 };
    await owner.ok('POST', '/submessage', { message_id: poll, msg_type: 'widget', content: JSON.stringify(vote) });
    await go(`#narrow/channel/1-general/topic/polls/as-of/${Math.floor(Date.now() / 1000)}`);
    const [first, second] = [page.locator('[role=article]').first(), page.locator('[role=article]').nth(1)];
    await first.getByText(/^As it was sent\. Votes/).waitFor();
    expect(await first.getByRole('listitem').allTextContents()).toEqual(['Sea ', 'Hills ']);
    await second.getByText(/^As it was sent\. What was done/).waitFor();
    expect(await second.getByRole('listitem').allTextContents()).toEqual(['tag the last commit']);
    expect(await page.getByRole('feed').getByRole('button').count()).toBe(0);
    expect(await violationsIn(page)).toEqual([]);
  });

  test('what is refused, empty or before the beginning says so', async () => {
    const { owner } = pages.server;
    await go(`${TOPIC}/as-of/${times[0]! - 10}`);
    await page.getByText('Nothing that you may see stood here then.').waitFor();
    await owner.ok('PATCH', '/realm', { message_edit_history_visibility_policy: 'moves' });
    await go(`${TOPIC}/as-of/${times[1]}`);
    await shows('one more', 'two');
    await page.getByText('Its earlier wording is not shown to members.').waitFor();
    await owner.ok('PATCH', '/realm', { message_edit_history_visibility_policy: 'none' });
    await go(`${TOPIC}/as-of/${times[0]}`);
    await page.getByRole('alert').filter({ hasText: 'Message edit history is disabled' }).waitFor();
    await owner.ok('PATCH', '/realm', { message_edit_history_visibility_policy: 'all' });
    await page.getByRole('button', { name: 'Retry' }).click();
    await shows('one');
    await go('#narrow/is/starred/as-of/5');
    await page.getByText('This link leads nowhere').waitFor();
  });

  test('everybody can use it, in light and dark, and on a phone', async () => {
    for (const [scheme, color_scheme] of [
      ['light', 3],
      ['dark', 2],
    ] as const) {
      await ann.ok('PATCH', '/settings', { color_scheme });
      for (const width of [1280, 390, 320]) {
        await page.setViewportSize({ width, height: 800 });
        await go(`${TOPIC}/as-of/${times[2]}`);
        await shows('one more', 'two');
        await page.waitForFunction(
          (theme) => (globalThis as any).document.documentElement.dataset.theme === theme,
          scheme,
        );
        expect([scheme, width, await violationsIn(page)]).toEqual([scheme, width, []]);
        const isWider = await page.evaluate(() => {
          const { scrollWidth, clientWidth } = (globalThis as any).document.documentElement;
          return scrollWidth > clientWidth;
        });
        expect([width, isWider]).toEqual([width, false]);
        const { SCREENSHOTS: folder } = process.env;
        if (folder !== undefined) await page.screenshot({ path: `${folder}/past-${scheme}-${width}.png` });
      }
    }
    await go(TOPIC);
    await page.getByRole('textbox', { name: /^Message / }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });
});
