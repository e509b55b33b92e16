/** People talk in the chat page, each with a Chromium. */
import type { Page } from 'playwright-core';
import type { ApiClient } from '../support/client.js';
import { until } from '#testing';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, startChatPages } from './chat-page.js';

let pages: ChatPages;
let ann: ApiClient;

const rowsOf = (page: Page): Promise<string[]> =>
  page.locator('[role=article] .rendered').evaluateAll((all) => all.map((one: any) => one.textContent.trim()));
const composer = (page: Page) => page.getByRole('textbox', { name: /^Message / });
const row = (page: Page, text: string) => page.locator('[role=article]', { hasText: text });

let made = 0;
/** A topic of its own for each test, open in a page. */
async function openTopic(page: Page, topic = `topic ${++made}`): Promise<string> {
  await page.evaluate((hash) => ((globalThis as any).location.hash = hash), hashOf(topic));
  await page.getByRole('heading', { level: 1 }).filter({ hasText: topic }).waitFor();
  return topic;
}
const hashOf = (topic: string): string => `#narrow/channel/1-general/topic/${topic.replaceAll(' ', '.20')}`;
const sendAs = (who: ApiClient, topic: string, content: string) =>
  who.ok('POST', '/messages', { type: 'channel', to: 'general', topic, content });

withBrowser('the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ann = await pages.server.user();
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('two people talk, and both read the same', async () => {
    const [his, hers] = [await pages.signIn(pages.server.owner), await pages.signIn(ann)];
    await openTopic(his, 'lunch');
    await composer(his).fill('Who is **hungry**?');
    await his.keyboard.press('Enter');
    await openTopic(hers, 'lunch');
    await row(hers, 'Who is hungry?').waitFor();
    await composer(hers).fill('I am :tada:');
    await hers.keyboard.press('Enter');
    await row(his, 'I am 🎉').waitFor();
    const { messages } = await pages.server.owner.ok('GET', '/messages', {
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [
        { operator: 'channel', operand: 'general' },
        { operator: 'topic', operand: 'lunch' },
      ],
    });
    expect(messages).toHaveLength(2);
    for (const page of [his, hers]) {
      await row(page, 'I am 🎉').locator('.rendered').waitFor();
      expect(await rowsOf(page)).toEqual(['Who is hungry?', 'I am 🎉']);
    }
  });

  test('a topic that somebody renames takes along who reads it, with what they write, the caret and the focus', async () => {
    const { owner } = pages.server;
    const { id } = await sendAs(owner, 'wet clay', 'it cracks');
    const page = await pages.signIn(ann);
    await openTopic(page, 'wet clay');
    await row(page, 'it cracks').waitFor();
    await composer(page).fill('dry it slowly');
    await composer(page).evaluate((text: any) => text.setSelectionRange(3, 3));
    // Keys come before the messages of the topic. On the page, these two lead elsewhere.
    let answer = (): void => undefined;
    const isTyped = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/v1/messages?*', async (route) => {
      await isTyped;
      await route.continue();
    });
    const move = { propagate_mode: 'change_all', send_notification_to_new_thread: false };
    await owner.ok('PATCH', `/messages/${id}`, { topic: '✔ dry clay', ...move });
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'dry clay' }).waitFor();
    await page.keyboard.type(' in');
    answer();
    await row(page, 'it cracks').waitFor();
    await page.unroute('**/api/v1/messages?*');
    const there = page.getByRole('textbox', { name: 'Message #general › ✔ dry clay' });
    await until(() => there.evaluate((text: any) => text === text.ownerDocument.activeElement));
    const typed = (text: any) => [text.value, text.selectionStart];
    expect(await there.evaluate(typed)).toEqual(['dry in it slowly', 6]);
    await page.keyboard.press('Enter');
    await row(page, 'dry in it slowly').waitFor();
    // One message of several leaves the reader where the others are.
    await owner.ok('PATCH', `/messages/${id}`, { topic: 'elsewhere', ...move, propagate_mode: 'change_one' });
    await row(page, 'it cracks').waitFor({ state: 'detached' });
    await row(page, 'dry in it slowly').waitFor();
  });

  test('by keyboard alone: sign in, go to a channel, write, read, and back to writing', async () => {
    await ann.ok('PATCH', '/settings', { enter_sends: true });
    const page = await pages.open();
    await page.getByLabel('E-mail address').waitFor();
    await page.keyboard.type(ann.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type('not the password');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.keyboard.type(`the password of ${ann.fullName}`);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('gener');
    await page.keyboard.press('Enter');
    await composer(page).waitFor();
    await page.getByRole('textbox', { name: 'Topic' }).focus();
    await page.keyboard.type('by keys');
    await page.keyboard.press('Tab');
    await page.keyboard.type('first');
    await page.keyboard.press('Enter');
    await row(page, 'first').locator('.rendered').waitFor();
    await composer(page).focus();
    await page.keyboard.type('second');
    await page.keyboard.press('Enter');
    await row(page, 'second').locator('.rendered').waitFor();
    // The focus stays where it was after a send; Escape leads to the messages, and r back.
    expect(await composer(page).evaluate((one: any) => one === one.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => (globalThis as any).document.activeElement.getAttribute('role'))).toBe('article');
    await page.keyboard.press('r');
    expect(await composer(page).evaluate((one: any) => one === one.ownerDocument.activeElement)).toBe(true);
  });

  test('a send is there at once, says after a second that it is on its way, and settles in place', async () => {
    const page = await pages.signIn(ann);
    const topic = await openTopic(page);
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/v1/messages', async (route) => {
      if (route.request().method() === 'POST') await held;
      await route.continue();
    });
    // The second does not pass while the test looks.
    await page.clock.install();
    await page.clock.pauseAt(Date.now() + 60_000);
    await composer(page).fill('slow one');
    await page.keyboard.press('Enter');
    const sent = row(page, 'slow one');
    await sent.waitFor();
    expect(await sent.textContent()).not.toContain('sending');
    await page.clock.resume();
    await sent.getByText('sending…').waitFor();
    await sent.evaluate((one: any) => (one.marked = true));
    answer();
    await sent.locator('.rendered').waitFor();
    expect(await sent.evaluate((one: any) => one.marked)).toBe(true);
    await sendAs(pages.server.owner, topic, 'another');
    await row(page, 'another').waitFor();
    expect(await rowsOf(page)).toEqual(['slow one', 'another']);
  });

  test('a send whose answer is lost is made once; one that is refused can be edited', async () => {
    const page = await pages.signIn(ann);
    const topic = await openTopic(page);
    let lost = 0;
    await page.route('**/api/v1/messages', async (route) => {
      if (route.request().method() !== 'POST' || lost > 0) return route.continue();
      lost++;
      await route.fetch();
      return route.abort();
    });
    await composer(page).fill('only once');
    await page.keyboard.press('Enter');
    await row(page, 'only once').locator('.rendered').waitFor();
    await sendAs(pages.server.owner, topic, 'after it');
    await row(page, 'after it').waitFor();
    expect(await rowsOf(page)).toEqual(['only once', 'after it']);
    expect(lost).toBe(1);
    await page.unroute('**/api/v1/messages');
    await page.route('**/api/v1/messages', (route) =>
      route.request().method() === 'POST'
        ? route.fulfill({ status: 400, json: { result: 'error', msg: 'Not like this.', code: 'BAD_REQUEST' } })
        : route.continue(),
    );
    await composer(page).fill('refused one');
    await page.keyboard.press('Enter');
    await page.getByText('Not sent: Not like this.').waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    expect(await composer(page).inputValue()).toBe('refused one');
    expect(await row(page, 'refused one').count()).toBe(0);
  });

  test('a time offline and a lost queue: nothing is missing, nothing twice, and the draft is as it was', async () => {
    const page = await pages.signIn(ann);
    const queues: string[] = [];
    page.on('request', (request) => {
      const queue = new URL(request.url()).searchParams.get('queue_id');
      if (queue !== null) queues.push(queue);
    });
    const topic = await openTopic(page);
    await sendAs(pages.server.owner, topic, 'before');
    await row(page, 'before').waitFor();
    await composer(page).fill('half a sentence');
    await composer(page).press('Home');
    await page.context().setOffline(true);
    await page.getByText(/No answer from the server/).waitFor();
    await sendAs(pages.server.owner, topic, 'meanwhile');
    await ann.ok('DELETE', '/events', { queue_id: queues.at(-1) });
    await page.context().setOffline(false);
    await row(page, 'meanwhile').waitFor();
    await sendAs(pages.server.owner, topic, 'afterwards');
    await row(page, 'afterwards').waitFor();
    expect(await rowsOf(page)).toEqual(['before', 'meanwhile', 'afterwards']);
    expect(await composer(page).inputValue()).toBe('half a sentence');
    expect(
      await composer(page).evaluate((one: any) => [one.selectionStart, one === one.ownerDocument.activeElement]),
    ).toEqual([0, true]);
  });

  test('a session that ends asks to sign in over the page, which goes on', async () => {
    const page = await pages.signIn(ann);
    const topic = await openTopic(page);
    await composer(page).fill('kept');
    await page.context().clearCookies();
    // Ends the poll that the session began.
    await sendAs(pages.server.owner, topic, 'wakes it');
    await page.getByText(/Your session has ended/).waitFor();
    await page.getByLabel('E-mail address').fill(ann.email);
    await page.getByLabel('Password').fill(`the password of ${ann.fullName}`);
    await page.keyboard.press('Enter');
    await page.getByText(/Your session has ended/).waitFor({ state: 'detached' });
    await sendAs(pages.server.owner, topic, 'goes on');
    await row(page, 'goes on').waitFor();
    expect(await rowsOf(page)).toEqual(['wakes it', 'goes on']);
    expect(await composer(page).inputValue()).toBe('kept');
    expect(page.url()).toContain(hashOf(topic));
  });

  test('an edit, a reaction, a star, a move and a deletion are seen at once', async () => {
    const [page, topic] = [await pages.signIn(ann), `topic ${++made}`];
    const { id } = await sendAs(pages.server.owner, topic, 'first wording');
    await openTopic(page, topic);
    await row(page, 'first wording').waitFor();
    const { owner } = pages.server;
    await owner.ok('PATCH', `/messages/${id}`, { content: 'second **wording**' });
    await row(page, 'second wording').getByText('edited', { exact: true }).waitFor();
    await owner.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    const reaction = page.getByRole('button', { name: /reacted with :tada:/ });
    await reaction.click();
    await page.getByRole('button', { name: /you.* reacted with :tada:/ }).waitFor();
    await ann.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    await row(page, 'second wording').getByText('★').waitFor();
    const { id: second } = await sendAs(owner, topic, 'to be deleted');
    await row(page, 'to be deleted').waitFor();
    await owner.ok('DELETE', `/messages/${second}`);
    await row(page, 'to be deleted').waitFor({ state: 'detached' });
    await owner.ok('PATCH', `/messages/${id}`, { topic: `${topic} moved`, propagate_mode: 'change_one' });
    await row(page, 'second wording').waitFor({ state: 'detached' });
    await openTopic(page, `${topic} moved`);
    await row(page, 'second wording').waitFor();
  });

  test('what comes to somebody who is away is unread, stands below a line, and is read by being seen', async () => {
    const page = await pages.signIn(ann);
    const topic = `topic ${++made}`;
    for (let count = 1; count <= 3; count++) await sendAs(pages.server.owner, topic, `news ${count}`);
    await page.evaluate(() => ((globalThis as any).location.hash = '#inbox'));
    const entry = page.getByRole('main').getByRole('link', { name: topic, exact: true });
    const told = page.waitForResponse('**/api/v1/messages/flags');
    await entry.click();
    await page.getByRole('separator').filter({ hasText: 'new' }).waitFor();
    await told;
    await page.evaluate(() => ((globalThis as any).location.hash = '#inbox'));
    await entry.waitFor({ state: 'detached' });
  });
});
