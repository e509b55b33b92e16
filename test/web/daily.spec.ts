/** What people do every day in the chat page, in Chromium: send later, be reminded, reuse texts. */
import type { Page } from 'playwright-core';
import { until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, startChatPages, violationsIn } from './chat-page.js';

let pages: ChatPages;
let ann: ApiClient;
let page: Page;

const go = (hash: string): Promise<unknown> => page.evaluate((to) => ((globalThis as any).location.hash = to), hash);
const row = (text: string) => page.locator('[role=article]', { hasText: text });
const composer = () => page.getByRole('textbox', { name: /^Message / });
const dialog = () => page.getByRole('dialog');
const sendAs = (who: ApiClient, topic: string, content: string) =>
  who.ok('POST', '/messages', { type: 'channel', to: 'general', topic, content });
const openTopic = async (topic: string): Promise<void> => {
  await go(`#narrow/channel/1-general/topic/${topic.replaceAll(' ', '.20')}`);
  await page.getByRole('heading', { level: 1 }).filter({ hasText: topic }).waitFor();
};
const chooseOf = async (text: string, item: string): Promise<void> => {
  await row(text).first().focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};

withBrowser('every day in the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ann = await pages.server.user();
    page = await pages.signIn(ann);
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('what is written is scheduled by keys, at a time of its own after a refusal, and moved to another time', async () => {
    await openTopic('later');
    await composer().fill('not yet');
    await page.getByRole('button', { name: 'Send later' }).press('Enter');
    await dialog().getByLabel('At a time of your own').fill('2020-02-03T10:00');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog().getByRole('alert').waitFor();
    expect(await composer().inputValue()).toBe('not yet');
    await dialog()
      .getByRole('button', { name: /^Tomorrow morning/ })
      .press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await page.locator('[aria-live]', { hasText: /^To be sent / }).waitFor({ state: 'attached' });
    expect(await composer().inputValue()).toBe('');
    await composer().and(page.locator(':focus')).waitFor();
    const [scheduled] = (await ann.ok('GET', '/scheduled_messages')).scheduled_messages;
    expect(scheduled).toMatchObject({ to: 1, topic: 'later', content: 'not yet' });
    expect(new Date(scheduled.scheduled_delivery_timestamp * 1000).getUTCHours()).toBe(9);
    await go('#drafts');
    await page.getByRole('button', { name: 'Change the time of what is for #general › later' }).click();
    await dialog().getByLabel('At a time of your own').fill('2099-02-03T10:00');
    await dialog().getByRole('button', { name: 'Change the time' }).click();
    await page.getByText('to be sent Tue, 3 Feb 2099').waitFor();
    expect((await ann.ok('GET', '/scheduled_messages')).scheduled_messages).toMatchObject([
      { scheduled_delivery_timestamp: Date.UTC(2099, 1, 3, 10) / 1000 },
    ]);
  });

  test('the reader is reminded of a message, with a note, and takes the reminder back', async () => {
    await sendAs(pages.server.owner, 'to answer', 'What do you think?');
    await openTopic('to answer');
    await chooseOf('What do you think?', 'Remind me…');
    await dialog().getByLabel('Note to yourself').fill('answer him');
    expect(await violationsIn(page)).toEqual([]);
    await dialog()
      .getByRole('button', { name: /^In three hours/ })
      .click();
    await dialog().waitFor({ state: 'detached' });
    const { reminders } = await ann.ok('GET', '/reminders');
    expect(reminders).toHaveLength(1);
    expect(reminders[0].content).toContain('answer him');
    await go('#drafts');
    const list = page.getByRole('region', { name: 'Reminders' });
    await list.getByRole('link', { name: /answer him/ }).click();
    await row('What do you think?').waitFor();
    await go('#drafts');
    await list.getByRole('button', { name: /^Discard the reminder/ }).click();
    await list.getByText('You are reminded of nothing.').waitFor();
    expect((await ann.ok('GET', '/reminders')).reminders).toEqual([]);
  });

  test('a text is saved, changed elsewhere, inserted by keys, and deleted', async () => {
    await openTopic('snippets');
    await composer().fill('Thank you for the report.');
    const opener = page.getByRole('button', { name: 'Saved snippets' });
    await opener.press('Enter');
    await dialog().getByRole('button', { name: 'New snippet' }).press('Enter');
    await page.keyboard.type('thanks');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await dialog().getByRole('button', { name: 'Insert “thanks”' }).waitFor();
    const [{ id }] = (await ann.ok('GET', '/saved_snippets')).saved_snippets;
    await ann.ok('PATCH', `/saved_snippets/${id}`, { title: 'thank them' });
    await dialog().getByRole('button', { name: 'Insert “thank them”' }).waitFor();
    await page.keyboard.press('Escape');
    await composer().fill('Hello. ');
    await opener.press('Enter');
    await dialog().getByRole('searchbox').waitFor();
    await page.keyboard.type('them');
    await page.keyboard.press('Enter');
    expect(await composer().inputValue()).toBe('Hello. Thank you for the report.');
    expect(await composer().evaluate((one: any) => one === one.ownerDocument.activeElement)).toBe(true);
    await opener.click();
    await dialog().getByRole('button', { name: 'Delete “thank them”' }).click();
    await dialog().getByText('There are no snippets yet.').waitFor();
    await page.keyboard.press('Escape');
    await composer().fill('');
  });

  test('messages are moved: not where they may not be written, later ones with the first, and a topic as a whole', async () => {
    const { owner } = pages.server;
    await owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'guarded' }],
      principals: [ann.userId],
    });
    const guarded = (await owner.ok('GET', '/get_stream_id', { stream: 'guarded' })).stream_id;
    await owner.ok('PATCH', `/streams/${guarded}`, {
      can_send_message_group: { new: { direct_members: [], direct_subgroups: [] } },
    });
    for (const text of ['first', 'second', 'third']) await sendAs(ann, 'mixed up', text);
    await openTopic('mixed up');
    await chooseOf('second', 'Move…');
    await dialog().getByLabel('Channel').selectOption('guarded');
    await dialog().getByLabel('this message and all later').check();
    expect(await violationsIn(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Move' }).click();
    await dialog().getByRole('alert').waitFor();
    await dialog().getByLabel('Channel').selectOption('general');
    await dialog().getByRole('combobox', { name: 'Topic' }).fill('sorted');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'sorted' }).waitFor();
    await row('third').waitFor();
    expect(await row('first').count()).toBe(0);
    await page.getByRole('button', { name: 'This topic' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Move or rename…' }).press('Enter');
    await dialog().getByRole('combobox', { name: 'Topic' }).waitFor();
    await page.keyboard.type('well sorted');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1 }).filter({ hasText: 'well sorted' }).waitFor();
    await row('second').waitFor();
    await openTopic('mixed up');
    await row('first').waitFor();
    expect(await row('second').count()).toBe(0);
  });

  test('who is there and what they say of themselves is shown, as it changes; who has read a message, when asked', async () => {
    const { owner } = pages.server;
    const { id } = await ann.ok('POST', '/messages', { type: 'direct', to: [owner.email], content: 'are you there?' });
    const places = page.getByRole('navigation', { name: 'Places' });
    const his = places.getByRole('link', { name: /Olive Owner/ });
    await his.waitFor();
    expect(await his.getByTitle('active now').count()).toBe(0);
    // The page has told that its reader is there.
    const me = await owner.ok('GET', `/users/${ann.userId}/presence`);
    expect(me.presence.aggregated.status).toBe('active');
    await owner.ok('POST', '/users/me/presence', { status: 'active', new_user_input: true });
    await his.getByTitle('active now').waitFor();
    await owner.ok('POST', '/users/me/status', { status_text: 'At the sea', emoji_name: 'palm_tree' });
    await his.getByTitle('At the sea').waitFor();
    await his.click();
    await composer().fill('hello');
    await page.keyboard.press('Enter');
    await row('hello').locator('.rendered').waitFor();
    await page.getByRole('button', { name: /^Signed in as/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Your status…' }).press('Enter');
    await dialog().getByRole('button', { name: 'On holiday' }).press('Enter');
    await dialog().getByRole('textbox').fill('Out until Monday');
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await row('are you there?').getByTitle('Out until Monday').waitFor();
    await dialog().waitFor({ state: 'detached' });
    expect((await ann.ok('GET', `/users/${ann.userId}/status`)).status).toMatchObject({
      status_text: 'Out until Monday',
      emoji_name: 'palm_tree',
    });
    await page.getByRole('button', { name: /^Signed in as/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Your status…' }).press('Enter');
    await dialog().getByRole('button', { name: 'Take the status back' }).press('Enter');
    await row('are you there?').getByTitle('Out until Monday').waitFor({ state: 'detached' });
    await dialog().waitFor({ state: 'detached' });
    await owner.ok('PATCH', '/realm', { enable_read_receipts: true });
    await owner.ok('POST', '/messages/flags', { messages: [id], op: 'add', flag: 'read' });
    await chooseOf('are you there?', 'Who has read it…');
    await dialog().getByRole('link', { name: 'Olive Owner' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await dialog().getByRole('link', { name: 'Olive Owner' }).press('Enter');
    const main = page.getByRole('main');
    await main.getByRole('group', { name: 'Last active' }).getByText('active now').waitFor();
    await main.getByRole('group', { name: 'Status' }).getByText('At the sea').waitFor();
    expect(await violationsIn(page)).toEqual([]);
  });

  test('a poll and a to-do list are sent from the composer, answered by keys, and change as others answer', async () => {
    const { owner } = pages.server;
    const tell = (id: number, change: object) =>
      owner.ok('POST', '/submessage', { message_id: id, msg_type: 'widget', content: JSON.stringify(change) });
    await openTopic('decisions');
    await composer().pressSequentially('/po');
    await page.keyboard.press('Tab');
    await composer().pressSequentially('Where to?');
    for (const option of ['Sea', 'Hills']) {
      await page.keyboard.press('Shift+Enter');
      await composer().pressSequentially(option);
    }
    await page.keyboard.press('Enter');
    const sea = page.getByRole('button', { name: /^Vote for “Sea”/ });
    await sea.waitFor();
    // Beside its button, not broken within a word.
    const lines = await row('Where to?')
      .getByText('Hills', { exact: true })
      .evaluate((text: any) => {
        const range = text.ownerDocument.createRange();
        range.selectNodeContents(text);
        return range.getClientRects().length;
      });
    expect(lines).toBe(1);
    await row('Where to?').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Vote for “Sea”, 1 vote', pressed: true }).waitFor();
    const { messages } = await owner.ok('GET', '/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    const [{ id }] = messages;
    await tell(id, { type: 'vote', key: 'canned,0', vote: 1 });
    await row('Where to?').getByText('you and Olive Owner').waitFor();
    await row('Where to?').getByPlaceholder('Another option').fill('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Vote for “Home”, 0 votes' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.getByRole('button', { name: 'Change the question' }).click();
    await row('Where to?')
      .getByPlaceholder('Change the question')
      .or(page.getByPlaceholder('Change the question'))
      .fill('Where now?');
    await page.keyboard.press('Enter');
    await row('Where now?').waitFor();
    const sent = await sendAs(owner, 'decisions', '/todo Release\ntag: the last commit\nannounce');
    const tag = row('Release').getByRole('checkbox', { name: 'tag' });
    await tag.press('Space');
    await page.waitForFunction(() => (globalThis as any).document.querySelector('[type=checkbox]').checked);
    await tell(sent.id, { type: 'new_task', key: 1, task: 'rest', desc: '', completed: false });
    await row('Release').getByRole('checkbox', { name: 'rest' }).waitFor();
    await tell(sent.id, { type: 'strike', key: '0,canned' });
    await page.waitForFunction(() => !(globalThis as any).document.querySelector('[type=checkbox]').checked);
    const texts = (await ann.ok('GET', `/messages/${id}`)).message.submessages.map(({ content }: any) =>
      JSON.parse(content),
    );
    expect(texts.slice(1)).toEqual([
      { type: 'vote', key: 'canned,0', vote: 1 },
      { type: 'vote', key: 'canned,0', vote: 1 },
      { type: 'new_option', idx: 1, option: 'Home' },
      { type: 'question', question: 'Where now?' },
    ]);
  });

  test('a search is put together by keys from what is shown, and says what it is', async () => {
    const { owner } = pages.server;
    await sendAs(owner, 'release 0.2', 'https://example.test is where the notes are');
    await sendAs(owner, 'release 0.2', 'nothing to see');
    await sendAs(ann, 'elsewhere', 'https://example.test as well');
    await page.keyboard.press('Escape');
    await page.evaluate(() => (globalThis as any).document.activeElement.blur());
    const field = page.getByRole('combobox', { name: /^Search or go to/ });
    const steps = [
      ['Control+k'],
      ['chan', 'Enter'],
      ['gen', 'Enter'],
      ['top', 'Tab'],
      ['rel', 'Enter'],
      ['has:li', 'Enter'],
      ['-sender:user', 'Enter'],
    ];
    const texts: string[] = [];
    for (const [first = '', key] of steps) {
      if (key === undefined) await page.keyboard.press(first);
      else {
        await page.keyboard.type(first);
        await dialog().getByRole('option').nth(1).waitFor();
        await page.keyboard.press(key);
      }
      texts.push(await field.inputValue());
    }
    expect(texts).toEqual([
      '',
      'channel:',
      'channel:general ',
      'channel:general topic:',
      'channel:general topic:"release 0.2" ',
      'channel:general topic:"release 0.2" has:link ',
      expect.stringMatching(/^channel:general topic:"release 0\.2" has:link -sender:"User A\d" $/),
    ]);
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.type('notes');
    await page.keyboard.press('Enter');
    await row('where the notes are').waitFor();
    expect(await page.locator('[role=article]').count()).toBe(1);
    // What was found is walked through without a way there by Tab.
    await row('where the notes are').and(page.locator(':focus')).waitFor();
    await page
      .getByRole('heading', {
        level: 1,
        name: /^Search: channel:general topic:"release 0\.2" has:link -sender:"User A\d" notes$/,
      })
      .waitFor();
    await page.evaluate(() => (globalThis as any).document.activeElement.blur());
    await page.keyboard.press('/');
    await page.keyboard.type('is:nonsense');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').filter({ hasText: "unknown 'is' operand nonsense" }).waitFor();
  });

  test('what is written is previewed as the server renders it, and the preview follows', async () => {
    await openTopic('previews');
    await composer().fill('**bold** and @**Olive Owner**');
    await page.getByRole('button', { name: 'Preview' }).press('Enter');
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.locator('strong', { hasText: 'bold' }).waitFor();
    await preview.locator('.user-mention', { hasText: '@Olive Owner' }).waitFor();
    await composer().fill('now `code`');
    await preview.locator('code', { hasText: 'code' }).waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.route('**/messages/render', (route) => route.fulfill({ status: 503, body: '<h1>busy</h1>' }));
    await composer().fill('something else');
    await preview.getByRole('alert').waitFor();
    await page.unroute('**/messages/render');
    await composer().fill('again **there**');
    await preview.locator('strong').waitFor();
    await composer().press('Enter');
    await row('again there').locator('.rendered').waitFor();
    await preview.getByText(/^What you write is shown here/).waitFor();
    await page.getByRole('button', { name: 'Preview' }).click();
    await preview.waitFor({ state: 'detached' });
  });

  test('an edit of what was changed meanwhile shows both wordings, and overwrites nothing unseen', async () => {
    const { id } = await sendAs(ann, 'clashes', 'We meet at nine in the hall.');
    await openTopic('clashes');
    await chooseOf('We meet at nine', 'Edit');
    const text = dialog().getByRole('textbox');
    await text.fill('We meet at ten in the hall.');
    await ann.ok('PATCH', `/messages/${id}`, { content: 'We meet at nine in the garden.' });
    await page.keyboard.press('Control+Enter');
    await dialog().getByRole('alert').filter({ hasText: 'changed while you were editing' }).waitFor();
    const clash = dialog().getByRole('region');
    await clash.waitFor();
    expect(await clash.locator('del').allTextContents()).toEqual(['nine', 'garden']);
    expect(await clash.locator('ins').allTextContents()).toEqual(['ten', 'hall']);
    expect(await text.inputValue()).toBe('We meet at ten in the hall.');
    expect(await violationsIn(page)).toEqual([]);
    await text.fill('We meet at ten in the garden.');
    await dialog().getByRole('button', { name: 'Save mine' }).press('Enter');
    await row('We meet at ten in the garden.').waitFor();
    expect((await ann.ok('GET', `/messages/${id}`, { apply_markdown: false })).message.content).toBe(
      'We meet at ten in the garden.',
    );
  });

  test('the last message is edited by keys alone: none is lost or presses a button, files are pasted, Enter saves', async () => {
    await openTopic('edits');
    await composer().fill('We meet at nine');
    await page.keyboard.press('Enter');
    await row('We meet at nine').locator('.rendered').waitFor();
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/api/v1/messages/*', async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('ArrowUp');
    const text = dialog().getByRole('textbox', { name: 'Editing your message' });
    await dialog().locator('textarea:focus').waitFor();
    await page.keyboard.press(' ');
    await page.keyboard.press('Enter');
    letGo();
    await until(async () => (await text.inputValue()) === 'We meet at nine');
    await page.keyboard.type(' and a half');
    await page.evaluate(() => {
      const { DataTransfer, File, ClipboardEvent, document } = globalThis as any;
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['where'], 'map.txt', { type: 'text/plain' }));
      document.activeElement.dispatchEvent(
        new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData }),
      );
    });
    await until(async () => (await text.inputValue()).includes('and a half[map.txt](/user_uploads/'));
    // Beside the dialog, and within its edge.
    await page.mouse.click(5, 5);
    const { x, y } = (await dialog().boundingBox())!;
    await page.mouse.click(x + 3, y + 3);
    await text.focus();
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await row('We meet at nine and a half').getByRole('link', { name: 'map.txt' }).waitFor();
    expect(await page.locator('[role=article]').count()).toBe(1);
    await page.unroute('**/api/v1/messages/*');
  });
});
