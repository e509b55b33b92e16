/** Moves of messages and topics in the chat page, and how they are undone, in Chromium. */
import type { Page } from 'playwright-core';
import { until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, startChatPages } from './chat-page.js';

let pages: ChatPages;
let owner: ApiClient;
let page: Page;

const QUIET = ['Leave a notice in the old topic', 'Leave a notice in the new topic'];

const row = (text: string) => page.locator('[role=article]', { hasText: text });
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
