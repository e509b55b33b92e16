/** Moves of messages and topics in the chat page, and how they are undone, in Chromium. */
import type { Page, Request } from 'playwright-core';
import { until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, startChatPages } from './chat-page.js';

let pages: ChatPages;
let owner: ApiClient;
let page: Page;

const QUIET = ['Leave a notice in the old topic', 'Leave a notice in the new topic'];

const row = (text: string) => page.locator('[role=article]', { hasText: text });
const composer = (topic: string) => page.getByRole('textbox', { name: new RegExp(`^Message .* ${topic}$`) });
const heading = (topic: string): Promise<void> => page.getByRole('heading', { level: 1, name: topic }).waitFor();
/** What was said last, for screen readers. */
const told = (text: string): Promise<void> =>
  page.locator('[aria-live]', { hasText: text }).waitFor({ state: 'attached' });
const send = (topic: string, content: string): Promise<{ readonly id: number }> =>
  owner.ok('POST', '/messages', { type: 'channel', to: 'general', topic, content });
const contentsOf = async (topic: string): Promise<string[]> => {
  const narrow = [
    { operator: 'channel', operand: 'general' },
    { operator: 'topic', operand: topic },
  ];
  const asked = { anchor: 'newest', num_before: 20, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await owner.ok('GET', '/messages', asked);
  return messages.map(({ content }: { content: string }) => content);
};
async function open(topic: string, text: string): Promise<void> {
  const hash = `#narrow/channel/1-general/topic/${topic.replaceAll(' ', '.20')}`;
  await page.evaluate((to) => ((globalThis as any).location.hash = to), hash);
  await heading(topic);
  await row(text).waitFor();
}

/** In the dialog that is open. */
async function moveTo(topic: string, mode?: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Topic' }).fill(topic);
  for (const label of QUIET) await page.getByLabel(label).uncheck();
  if (mode !== undefined) await page.getByLabel(mode).check();
  await page.getByRole('button', { name: 'Move', exact: true }).click();
}

async function choose(name: string): Promise<void> {
  await page.getByRole('button', { name: 'This topic' }).click();
  await page.getByRole('menuitem', { name, exact: true }).click();
}

withBrowser('moves in the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ({ owner } = pages.server);
    page = await pages.signIn(owner);
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('a topic that was renamed is taken back from the notice, by its key, with the reader', async () => {
    for (const content of ['one', 'two']) await send('plans', content);
    await open('plans', 'two');
    await choose('Move or rename…');
    await moveTo('ideas');
    await told('Moved to “ideas”. Undo: press u.');
    await heading('ideas');
    await row('two').waitFor();
    await page.locator('[role=article]').last().focus();
    await page.keyboard.press('u');
    await told('Moved back to “plans”.');
    await heading('plans');
    expect([await contentsOf('plans'), await contentsOf('ideas')]).toEqual([['one', 'two'], []]);
    // It is undone once.
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  test('a topic that is shown whole is not asked for before it is moved, and for no more than it has before that is undone', async () => {
    for (const content of ['one', 'two', 'three']) await send('few', content);
    await open('few', 'three');
    const asked: string[] = [];
    const note = (request: Request): void => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname.endsWith('/messages') && searchParams.get('num_after') === '0')
        asked.push(searchParams.get('num_before') ?? '');
    };
    page.on('request', note);
    await choose('Mark as resolved');
    await told('Marked as resolved.');
    expect(asked).toEqual(['1', '1']);
    await heading('✔ few');
    // The notice of it comes after its event. Before, the topic is not known whole, and asked for.
    await row('has marked this topic as').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await told('Marked as not resolved.');
    page.off('request', note);
    // With notices that may have come, and what it looks at before it moves them back.
    expect(asked.slice(2)).toEqual(['8', '1', '1']);
  });

  test('a message that was moved among others is taken back alone, and the focus is kept', async () => {
    await send('left', 'stays');
    await send('left', 'goes');
    await send('right', 'was there');
    await open('left', 'goes');
    await row('goes').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Move…' }).click();
    await moveTo('right', 'this message alone');
    await told('Moved to “right”.');
    await row('goes').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).focus();
    await page.keyboard.press('Enter');
    await told('Moved back to “left”.');
    await row('goes').waitFor();
    expect([await contentsOf('left'), await contentsOf('right')]).toEqual([['stays', 'goes'], ['was there']]);
    expect(await page.evaluate(() => (globalThis as any).document.activeElement.tagName)).not.toBe('BODY');
  });

  test('who moves the later messages of a topic is led to them', async () => {
    for (const content of ['before', 'from here', 'and after']) await send('long', content);
    await open('long', 'and after');
    await row('from here').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Move…' }).click();
    await moveTo('rest', 'this message and all later ones of the topic');
    await heading('rest');
    await row('from here').waitFor();
    expect([await contentsOf('long'), await contentsOf('rest')]).toEqual([['before'], ['from here', 'and after']]);
  });

  test('a topic that is joined with another says before and after that this cannot be undone', async () => {
    await send('small', 'of the small one');
    await send('large', 'of the large one');
    await open('small', 'of the small one');
    await choose('Move or rename…');
    await page.getByRole('combobox', { name: 'Topic' }).fill('large');
    await page.getByText('What is joined with them cannot be undone.').waitFor();
    await moveTo('large');
    await told('among other messages: this cannot be undone.');
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  });

  test('what is more by then than was moved stays: nothing is undone, and that is said', async () => {
    await send('draft', 'of the draft');
    await open('draft', 'of the draft');
    await choose('Move or rename…');
    await moveTo('final');
    await told('Moved to “final”. Undo: press u.');
    await send('final', 'sent since');
    await row('sent since').waitFor();
    await page.keyboard.press('u');
    await told('Not undone:');
    expect([await contentsOf('draft'), await contentsOf('final')]).toEqual([[], ['of the draft', 'sent since']]);
    await choose('Mark as resolved');
    await told('Marked as resolved.');
    await send('✔ final', 'and more');
    await row('and more').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Not undone:').first().waitFor();
    expect(await contentsOf('final')).toEqual([]);
  });

  test('what the reader may not see stays where they have moved a topic to, and they take back what is theirs', async () => {
    const [early, late] = [await pages.server.user(), await pages.server.user()];
    const subscriptions = [{ name: 'closed' }];
    const closed = { invite_only: true, history_public_to_subscribers: false };
    await early.ok('POST', '/users/me/subscriptions', { subscriptions, ...closed });
    const to = (who: ApiClient, topic: string, content: string): Promise<unknown> =>
      who.ok('POST', '/messages', { type: 'channel', to: 'closed', topic, content });
    await to(early, 'old', 'before they came');
    await early.ok('POST', '/users/me/subscriptions', { subscriptions, principals: [late.userId] });
    for (const content of ['theirs', 'as well']) await to(late, 'new', content);
    const { stream_id: id } = await early.ok('GET', '/get_stream_id', { stream: 'closed' });
    const lates = await pages.signIn(late);
    await lates.evaluate(
      (hash) => ((globalThis as any).location.hash = hash),
      `#narrow/channel/${id}-closed/topic/new`,
    );
    await lates.getByText('as well').last().waitFor();
    await lates.getByRole('button', { name: 'This topic' }).click();
    await lates.getByRole('menuitem', { name: 'Move or rename…' }).click();
    await lates.getByRole('combobox', { name: 'Topic' }).fill('old');
    await lates.getByRole('button', { name: 'Move', exact: true }).click();
    await lates.getByRole('heading', { level: 1, name: 'old' }).waitFor();
    await lates.getByRole('button', { name: 'Undo' }).click();
    await lates.getByRole('heading', { level: 1, name: 'new' }).waitFor();
    const narrow = [
      { operator: 'channel', operand: id },
      { operator: 'topic', operand: 'old' },
    ];
    const asked = { anchor: 'newest', num_before: 20, num_after: 0, narrow, apply_markdown: false };
    const { messages } = await early.ok('GET', '/messages', asked);
    expect(messages.map(({ content }: { content: string }) => content)).toEqual(['before they came']);
    await lates.context().close();
  });

  test('the offer stays while its button has the focus, wherever the pointer goes, and ends after it', async () => {
    const other = await pages.signIn(owner);
    await send('held', 'something');
    await other.evaluate(() => ((globalThis as any).location.hash = '#narrow/channel/1-general/topic/held'));
    await other.locator('[role=article]', { hasText: 'something' }).waitFor();
    await other.clock.install();
    await other.getByRole('button', { name: 'This topic' }).click();
    await other.getByRole('menuitem', { name: 'Mark as resolved' }).click();
    const button = other.getByRole('button', { name: 'Undo' });
    await button.focus();
    await button.hover();
    await other.mouse.move(1, 1);
    await other.clock.runFor(60_000);
    expect(await button.count()).toBe(1);
    await button.hover();
    await button.blur();
    await other.clock.runFor(60_000);
    expect(await button.count()).toBe(1);
    await other.mouse.move(1, 1);
    await other.clock.runFor(60_000);
    await button.waitFor({ state: 'detached' });
    await other.context().close();
  });

  test.each([
    ['moved', 'Move or rename…', 'went', 'Moved to “went”.'],
    ['resolved', 'Mark as resolved', '✔ resolved', 'Marked as resolved.'],
  ])('who goes elsewhere before the answer is not led back to the topic that was %s', async (topic, item, to, text) => {
    await send(topic, 'something');
    await open(topic, 'something');
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    // Of the move, and not of flags, which may come later.
    const moves = /\/api\/v1\/messages\/\d+$/;
    await page.route(moves, async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    await choose(item);
    if (item !== 'Mark as resolved') await moveTo(to);
    // By the event.
    await heading(to);
    await page.evaluate(() => ((globalThis as any).location.hash = '#inbox'));
    await heading('Inbox');
    const answered = page.getByText(text, { exact: true });
    letGo();
    await answered.waitFor();
    expect(await page.evaluate(() => (globalThis as any).location.hash)).toBe('#inbox');
    await page.unroute(moves);
  });

  test('what is said and what is written go along when the event comes after the answer', async () => {
    let held = Promise.resolve();
    const events = /\/api\/v1\/events/;
    await page.route(events, async (route) => {
      const response = await route.fetch();
      await held;
      await route.fulfill({ response });
    });
    const answeredFirst = async (act: () => Promise<void>, text: string, topic: string): Promise<void> => {
      let letGo = (): void => undefined;
      held = new Promise((resolve) => (letGo = resolve));
      await act();
      await told(text);
      letGo();
      await heading(topic);
      await told(text);
      await composer(topic).waitFor();
    };
    await send('late', 'something');
    await open('late', 'something');
    await composer('late').fill('half a sentence');
    await choose('Move or rename…');
    await answeredFirst(() => moveTo('later'), 'Moved to “later”. Undo: press u.', 'later');
    expect(await composer('later').inputValue()).toBe('half a sentence');
    await row('something').focus();
    await answeredFirst(() => page.keyboard.press('u'), 'Moved back to “late”.', 'late');
    expect(await composer('late').inputValue()).toBe('half a sentence');
    await answeredFirst(() => choose('Mark as resolved'), 'Marked as resolved. Undo: press u.', '✔ late');
    await row('something').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Move…' }).click();
    const whole = (): Promise<void> => moveTo('whole', 'all messages of the topic');
    await answeredFirst(whole, 'Moved to “whole”. Undo: press u.', 'whole');
    expect(await composer('whole').inputValue()).toBe('half a sentence');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('a resolved topic is taken back from the notice', async () => {
    await send('to do', 'something');
    await open('to do', 'something');
    await choose('Mark as resolved');
    await told('Marked as resolved.');
    await page.getByRole('button', { name: 'Undo' }).click();
    await told('Marked as not resolved.');
    await heading('to do');
    await until(async () => (await contentsOf('✔ to do')).length === 0);
  });
});
