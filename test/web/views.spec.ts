/** Views of the chat page in Chromium: what people write cannot harm, everybody can use them, and what is typed is completed. */
import { until } from '#testing';
import type { Locator, Page, Route } from 'playwright-core';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { animation, upload } from '../support/pictures.js';
import { type ChatPages, keptIn, OF_COLOURS, settledAt, startChatPages, violationsIn } from './chat-page.js';
import { dialogsOf } from './dialogs.js';

let pages: ChatPages;
let ann: ApiClient;
let page: Page;
/** Addresses outside of the server that a browser has asked for. */
const outside: string[] = [];

const go = (hash: string): Promise<unknown> => page.evaluate((to) => ((globalThis as any).location.hash = to), hash);
const row = (text: string) => page.locator('[role=article]', { hasText: text });
const composer = () => page.getByRole('textbox', { name: /^Message / });
const sendAs = (who: ApiClient, topic: string, content: string) =>
  who.ok('POST', '/messages', { type: 'channel', to: 'general', topic, content });

const HOSTILE = [
  '<script>globalThis.harmed = true</script>',
  '<img src=x onerror="globalThis.harmed = true">',
  '"><svg onload=globalThis.harmed=true>',
  '[a](javascript:globalThis.harmed=true)',
  '![a](https://evil.test/pixel.png)',
  '```html\n<script>globalThis.harmed = true</script>\n```',
  '@**<b onmouseover=alert(1)>**',
  '$$\\href{javascript:alert(1)}{x}$$',
  '\u202eevil\u202c &lt;script&gt;',
];

withBrowser('views of the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ann = await pages.server.user();
    page = await pages.signIn(ann);
    page.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(pages.server.url))
        outside.push(request.url());
    });
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('hostile texts, names and topics run nothing, ask nobody else, and break no policy', async () => {
    const { owner } = pages.server;
    const reports: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/csp-reports')) reports.push(request.postData() ?? '');
    });
    for (const text of HOSTILE) await sendAs(owner, text.slice(0, 60).replaceAll('\n', ' '), text);
    await sendAs(owner, 'all of it', HOSTILE.join('\n\n'));
    await owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: '<img src=x onerror=alert(1)>', description: HOSTILE[0] }],
      principals: [ann.userId],
    });
    await ann.ok('PATCH', '/settings', { full_name: `<img src=x onerror=alert(1)>` }).catch(() => undefined);
    for (const hash of [
      '#inbox',
      '#narrow',
      '#narrow/channel/1-general/topic/all.20of.20it',
      '#narrow/search/script',
    ]) {
      await go(hash);
      await page.getByRole('heading', { level: 1 }).waitFor();
    }
    await go('#narrow/channel/1-general/topic/all.20of.20it');
    await row('evil').first().waitFor();
    for (const link of await page.locator('.rendered a').all())
      expect(await link.getAttribute('href')).not.toMatch(/^\s*javascript:/i);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('img');
    await page.getByRole('option', { name: '<img src=x onerror=alert(1)>' }).first().waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => (globalThis as any).harmed)).toBeUndefined();
    expect([outside, reports]).toEqual([[], []]);
  });

  test('only the policy of the page writes HTML', async () => {
    const refused = await page.evaluate(() => {
      const { document } = globalThis as any;
      try {
        document.createElement('div').innerHTML = '<b>x</b>';
        return 'written';
      } catch (error) {
        return String(error);
      }
    });
    expect(refused).toMatch(/^TypeError/);
    // The browser says so in the console as well, which is what it should.
    pages.complaints.length = 0;
  });

  test.each(['light', 'dark'] as const)('axe finds nothing in the %s theme', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    await sendAs(pages.server.owner, 'for everybody', 'A `word`, a [link](https://example.test) and\n\n> a quote');
    for (const hash of [
      '#inbox',
      '#narrow/channel/1-general/topic/for.20everybody',
      '#narrow/is/starred',
      '#browse',
      '#recent',
      '#drafts',
    ]) {
      await go(hash);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      expect([hash, await violationsIn(page, colorScheme === 'dark' ? OF_COLOURS : undefined)]).toEqual([hash, []]);
    }
    await page.emulateMedia({ colorScheme: null });
  });

  test('the browser undoes what was completed, and does it again', async () => {
    await go('#narrow/channel/1-general/topic/undone');
    await composer().pressSequentially('@oliv');
    await page.getByRole('option', { name: 'Olive Owner' }).waitFor();
    await page.keyboard.press('Enter');
    // The second blank is taken out.
    for (const typed of [' ', 'hello']) await page.keyboard.insertText(typed);
    const values = [await composer().inputValue()];
    for (const key of ['z', 'Shift+z'])
      for (let presses = 0; presses < 10; presses++) {
        await page.keyboard.press(`Control+${key}`);
        values.push(await composer().inputValue());
      }
    expect(values).toContain('@oliv');
    expect(values[10]).toBe('');
    expect([values[0], values.at(-1)]).toEqual(['@**Olive Owner** hello', '@**Olive Owner** hello']);
    await composer().press('Control+a');
    await page.keyboard.press('Delete');
    expect(await composer().inputValue()).toBe('');
  });

  test('a quote of many lines is put in at once', async () => {
    const lines = Array.from({ length: 300 }, (_, index) => `line ${index}.`).join('\n');
    await sendAs(ann, 'lines', lines);
    await go('#narrow/channel/1-general/topic/lines');
    await row('line 299.').focus();
    const inputs = await composer().evaluateHandle((text: any) => {
      const seen: string[] = [];
      text.addEventListener('input', ({ inputType }: any) => seen.push(inputType));
      return seen;
    });
    await page.keyboard.press('>');
    await until(async () => (await composer().inputValue()).includes(lines));
    expect((await inputs.jsonValue()).length).toBeLessThan(100);
    await composer().press('Control+a');
    await page.keyboard.press('Delete');
    expect(await composer().inputValue()).toBe('');
  });

  test('what is quoted in a list of several conversations is answered in its own, by one key', async () => {
    await sendAs(pages.server.owner, 'asked', 'who comes?');
    await settledAt(page, '#narrow/channel/1-general/topic/asked');
    await composer().fill('I think:');
    await go('#narrow/channel/1-general');
    await row('who comes?').focus();
    await page.keyboard.press('>');
    await page.getByRole('heading', { level: 1, name: 'asked' }).waitFor();
    await until(async () => (await composer().inputValue()).endsWith('```quote\nwho comes?\n```\n'));
    expect(await composer().inputValue()).toMatch(/^I think:\n@_\*\*Olive Owner\|\d+\*\* \[said\]/);
    await composer().and(page.locator(':focus')).waitFor();
    await composer().fill('');
    // It is put in once.
    await go('#narrow/channel/1-general');
    await row('who comes?').waitFor();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'asked' }).waitFor();
    await settledAt(page, await page.evaluate(() => (globalThis as any).location.hash));
    expect(await composer().inputValue()).toBe('');
  });

  test('a word is completed by what the list shows, and Escape leaves it alone', async () => {
    await go('#narrow/channel/1-general/topic/words');
    await composer().waitFor();
    await composer().pressSequentially('@oliv');
    await page.getByRole('option', { name: 'Olive Owner' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await composer().inputValue()).toBe('@**Olive Owner** ');
    await composer().pressSequentially('#gen');
    await page.keyboard.press('Tab');
    expect(await composer().inputValue()).toBe('@**Olive Owner** #**general** ');
    await composer().pressSequentially(':tad');
    await page.getByRole('option', { name: /tada/ }).first().waitFor();
    await page.keyboard.press('Enter');
    expect(await composer().inputValue()).toMatch(/ :tada: $/);
    // The blank that a hand types by habit is there already; the next one is meant.
    await composer().fill('');
    await composer().pressSequentially('@oliv');
    await page.getByRole('option', { name: 'Olive Owner' }).waitFor();
    await page.keyboard.press('Enter');
    await composer().pressSequentially(' hello  you');
    expect(await composer().inputValue()).toBe('@**Olive Owner** hello  you');
    // Keyboards of phones tell of no keys, only of what they put in.
    await composer().fill('');
    await composer().pressSequentially('@oliv');
    await page.getByRole('option', { name: 'Olive Owner' }).click();
    for (const typed of [' ', 'hello', ' ']) await page.keyboard.insertText(typed);
    expect(await composer().inputValue()).toBe('@**Olive Owner** hello ');
    await composer().fill('ask @oliv today');
    await composer().evaluate((text: any) => text.setSelectionRange(9, 9));
    await page.keyboard.press('Backspace');
    await page.getByRole('option', { name: 'Olive Owner' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await composer().inputValue()).toBe('ask @**Olive Owner** today');
    await composer().fill('');
    await composer().pressSequentially('@oli');
    await page.keyboard.press('Escape');
    await composer().pressSequentially('v');
    expect(await page.getByRole('listbox').count()).toBe(0);
    await page.keyboard.press('Enter');
    await row('@oliv').locator('.rendered').waitFor();
    await composer().pressSequentially('sent by :tad');
    await page.getByRole('option', { name: /tada/ }).first().waitFor();
    // As a screen reader presses it: the text keeps the focus.
    await page.getByRole('button', { name: 'Send', exact: true }).evaluate((button: any) => button.click());
    await row('sent by :tad').locator('.rendered').waitFor();
    // What it would complete is gone.
    expect(await page.getByRole('listbox').count()).toBe(0);
  });

  test('what one sends is seen where more is unread than is loaded, and the caret stays', async () => {
    for (let sent = 0; sent < 240; sent += 20)
      await Promise.all(Array.from({ length: 20 }, () => sendAs(pages.server.owner, 'crowded', 'word '.repeat(20))));
    await go('#narrow/channel/1-general/topic/crowded');
    await page.getByRole('button', { name: /new$/ }).waitFor();
    await composer().fill('my answer');
    await composer().press('Enter');
    await row('my answer').locator('.rendered').waitFor();
    await composer().and(page.locator(':focus')).waitFor();
    await until(() =>
      row('my answer').evaluate((one: any) => one.getBoundingClientRect().bottom < (globalThis as any).innerHeight),
    );
  });

  test('a link to a channel that there is not says so', async () => {
    await go('#narrow/channel/999-unknown/topic/x');
    await page.getByRole('alert').filter({ hasText: 'This link leads nowhere that you can see.' }).waitFor();
  });

  test('a file that is pasted is uploaded and linked', async () => {
    await go('#narrow/channel/1-general/topic/files');
    await composer().waitFor();
    await composer().evaluate((text: any) => {
      const { DataTransfer, File, ClipboardEvent } = globalThis as any;
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(['content'], 'notes.txt', { type: 'text/plain' }));
      text.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    });
    await page.waitForFunction(() =>
      /\[notes\.txt\]\(\/user_uploads\//.test((globalThis as any).document.querySelector('textarea').value),
    );
    await page.keyboard.press('Enter');
    await row('notes.txt').locator('.rendered a').waitFor();
  });

  test.each([
    ['an inbox', ['#inbox'], 'carried'],
    ['another conversation', ['#narrow/channel/1-general/topic/elsewhere'], 'carried on'],
    ['a visit elsewhere', ['#inbox', '#narrow/channel/1-general/topic/'], 'carried back'],
  ])('a file that is still uploaded in %s is linked where it was dropped', async (_, hashes, topic) => {
    const home = `#narrow/channel/1-general/topic/${topic.replaceAll(' ', '.20')}`;
    await go(home);
    await page.getByRole('heading', { level: 1, name: topic }).waitFor();
    await composer().fill('look at');
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/api/v1/user_uploads', async (route) => {
      await held;
      await route.continue();
    });
    const asked = page.waitForRequest('**/api/v1/user_uploads');
    await composer().evaluate((text: any) => {
      const { DataTransfer, File, DragEvent } = globalThis as any;
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['content'], 'plan.txt', { type: 'text/plain' }));
      text.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    await asked;
    for (const hash of hashes) {
      const isBack = hash.endsWith('/');
      await go(isBack ? home : hash);
      await page.getByRole('heading', { level: 1, name: isBack ? topic : /Inbox|elsewhere/ }).waitFor();
    }
    const answered = page.waitForResponse('**/api/v1/user_uploads');
    letGo();
    await (await answered).finished();
    if (hashes.at(-1)?.endsWith('elsewhere') === true) expect(await composer().inputValue()).toBe('');
    await go(home);
    await page.getByRole('heading', { level: 1, name: topic }).waitFor();
    await until(async () => /^look at\n\[plan\.txt\]\(\/user_uploads\/.*\)$/.test(await composer().inputValue()));
    await page.unroute('**/api/v1/user_uploads');
    // The tests that follow begin without drafts.
    await composer().fill('');
    await until(async () => (await ann.ok('GET', '/drafts')).drafts.length === 0);
  });

  test('the link of a file leaves the focus to a topic that is being typed', async () => {
    await go('#narrow/channel/1-general');
    const topic = page.getByRole('textbox', { name: 'Topic' });
    await topic.waitFor();
    const held: Route[] = [];
    await page.route('**/api/v1/user_uploads', (route) => void held.push(route));
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await until(() => held.length === 1);
    await topic.pressSequentially('new');
    await held[0]?.continue();
    await until(async () => (await composer().inputValue()).includes('a.txt'));
    await page.keyboard.type('er');
    expect(await topic.inputValue()).toBe('newer');
    await page.unroute('**/api/v1/user_uploads');
    for (const field of [topic, composer()]) await field.fill('');
    await until(async () => (await ann.ok('GET', '/drafts')).drafts.length === 0);
  });

  test('in an edit, the browser undoes the link of a file, which leaves the focus where it is', async () => {
    await sendAs(ann, 'undone files', 'the wording');
    await go('#narrow/channel/1-general/topic/undone.20files');
    await row('the wording').focus();
    const held: Route[] = [];
    await page.route('**/api/v1/user_uploads', (route) => void held.push(route));
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    const text = page.getByRole('textbox', { name: 'Editing your message' });
    await until(async () => (await text.inputValue()) === 'the wording');
    await text.press('End');
    await page.keyboard.insertText(' and more');
    await text.evaluate((element: any) => {
      const { DataTransfer, File, DragEvent } = globalThis as any;
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File(['content'], 'plan.txt', { type: 'text/plain' }));
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    await until(() => held.length === 1);
    const cancel = page.getByRole('button', { name: 'Cancel', exact: true });
    await cancel.focus();
    await held[0]?.continue();
    await until(async () => (await text.inputValue()).includes('plan.txt'));
    await cancel.and(page.locator(':focus')).waitFor();
    await text.focus();
    await page.keyboard.press('Control+z');
    expect(await text.inputValue()).toBe('the wording and more');
    await page.keyboard.press('Control+z');
    expect(await text.inputValue()).toBe('the wording');
    await page.unroute('**/api/v1/user_uploads');
    await cancel.press('Enter');
    await text.waitFor({ state: 'detached' });
  });

  test('an edit that is saved while a file is uploaded waits for its link, and is not saved without', async () => {
    await sendAs(ann, 'edited files', 'first wording');
    await go('#narrow/channel/1-general/topic/edited.20files');
    await row('first wording').waitFor();
    let answer: 'continue' | 'abort' = 'abort';
    let letGo = (): void => undefined;
    await page.route('**/api/v1/user_uploads', async (route) => {
      await new Promise<void>((resolve) => (letGo = resolve));
      await route[answer]();
    });
    await row('first wording').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    const text = page.getByRole('textbox', { name: 'Editing your message' });
    await until(async () => (await text.inputValue()) === 'first wording');
    const drop = async (): Promise<void> => {
      const asked = page.waitForRequest('**/api/v1/user_uploads');
      await text.evaluate((element: any) => {
        const { DataTransfer, File, DragEvent } = globalThis as any;
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['content'], 'plan.txt', { type: 'text/plain' }));
        element.setSelectionRange(element.value.length, element.value.length);
        element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      });
      await asked;
      await page.keyboard.press('Enter');
      await until(() => page.getByRole('button', { name: 'Save', exact: true }).isDisabled());
      await page.keyboard.type(' and');
      letGo();
    };
    await text.focus();
    await drop();
    await page.getByRole('alert').getByText('plan.txt was not uploaded').waitFor();
    expect(await text.inputValue()).toBe('first wording and');
    answer = 'continue';
    await drop();
    await text.waitFor({ state: 'detached' });
    await row('first wording and').getByRole('link', { name: 'plan.txt' }).waitFor();
    await page.unroute('**/api/v1/user_uploads');
  });

  test('somebody whose picture cannot be fetched has their initials', async () => {
    await sendAs(pages.server.owner, 'pictures', 'of me');
    await page.route('**/*avatar*/**', (route) => route.abort());
    await page.reload();
    await go('#narrow/channel/1-general/topic/pictures');
    await row('of me').waitFor();
    const initials = row('of me').locator('[aria-hidden=true]', { hasText: /^OO$/ });
    await initials.waitFor();
    await page.unroute('**/*avatar*/**');
    // With a connection that has come back, the picture may be there.
    await page.context().setOffline(true);
    await page.getByText(/No answer from the server/).waitFor();
    await page.context().setOffline(false);
    await row('of me').locator('img').first().waitFor();
    expect(await initials.count()).toBe(0);
  });

  test('an edit is not saved when one of its files fails while another is still on its way', async () => {
    const { id } = await sendAs(ann, 'two files', 'both are meant');
    await go('#narrow/channel/1-general/topic/two.20files');
    await row('both are meant').waitFor();
    const held: Route[] = [];
    await page.route('**/api/v1/user_uploads', (route) => void held.push(route));
    await row('both are meant').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click();
    const text = page.getByRole('textbox', { name: 'Editing your message' });
    await until(async () => (await text.inputValue()) === 'both are meant');
    await text.evaluate((element: any) => {
      const { DataTransfer, File, DragEvent } = globalThis as any;
      const dataTransfer = new DataTransfer();
      for (const name of ['one.txt', 'two.txt']) dataTransfer.items.add(new File([name], name, { type: 'text/plain' }));
      element.setSelectionRange(element.value.length, element.value.length);
      element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    await until(() => held.length === 2);
    await text.focus();
    await page.keyboard.press('Enter');
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await until(() => save.isDisabled());
    await held[1]?.abort();
    const alert = page.getByRole('alert').getByText('was not uploaded');
    await alert.waitFor();
    await held[0]?.continue();
    // Either the dialog is there again, or it was closed by an edit.
    await until(async () => (await text.count()) === 0 || (await save.isEnabled()));
    expect([await text.count(), await alert.count()]).toEqual([1, 1]);
    expect(await text.inputValue()).toMatch(/^both are meant.*user_uploads/s);
    const { message } = await ann.ok('GET', `/messages/${id}`, { apply_markdown: false });
    expect(message.content).toBe('both are meant');
    await page.unroute('**/api/v1/user_uploads');
    await page.keyboard.press('Escape');
  });

  test('earlier wordings are shown in place, word by word, and one is restored', async () => {
    const { id } = await sendAs(ann, 'wordings', 'at most one event');
    await ann.ok('PATCH', `/messages/${id}`, { content: 'at most two events' });
    await ann.ok('PATCH', `/messages/${id}`, { content: 'at most 128 events' });
    await go('#narrow/channel/1-general/topic/wordings');
    await page.getByRole('button', { name: /^edited/ }).click();
    const history = page.getByRole('region', { name: 'History of this message' });
    await history.getByText('version 3 of 3').waitFor();
    expect(await history.locator('.highlight_text_deleted').first().textContent()).toBe('two');
    expect(await history.locator('.highlight_text_inserted').first().textContent()).toBe('128');
    await history.getByRole('button', { name: 'One change back' }).press(',');
    await history.getByText('version 2 of 3').waitFor();
    await history.getByRole('button', { name: 'Restore this wording' }).click();
    await history.getByText('version 4 of 4').waitFor();
    const state = page.locator('[role=article]', { has: history }).locator('[aria-expanded]').first();
    await state.and(page.getByText('edited', { exact: true })).waitFor();
    const { message } = await ann.ok('GET', `/messages/${id}`, { apply_markdown: false });
    expect(message.content).toBe('at most two events');
  });

  test('the inbox is cleared by keys: one topic is read, one muted', async () => {
    await go('#inbox');
    await ann.ok('POST', '/mark_all_as_read');
    await page.getByText('Nothing is unread.').waitFor();
    for (const topic of ['triage one', 'triage two']) await sendAs(pages.server.owner, topic, 'news');
    const main = page.getByRole('main');
    for (const topic of ['triage one', 'triage two']) await main.getByRole('link', { name: topic }).waitFor();
    // From wherever the reader is.
    await page.keyboard.press('i');
    await page.keyboard.press('j');
    const focused = (): Promise<string> =>
      page.evaluate(() => (globalThis as any).document.activeElement.textContent as string);
    expect(await focused()).toBe('triage two');
    // A menu keeps the keys that are pressed in it.
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.locator('[role=menuitem]:focus').waitFor();
    await page.keyboard.press('j');
    await page.locator('[role=menuitem]:focus').waitFor();
    await page.keyboard.press('Escape');
    await main.getByRole('link', { name: 'triage two' }).focus();
    await page.keyboard.press('e');
    await main.getByRole('link', { name: 'triage two' }).waitFor({ state: 'detached' });
    expect(await focused()).toBe('triage one');
    await page.keyboard.press('m');
    await page.getByText('Nothing is unread.').waitFor();
    await sendAs(pages.server.owner, 'triage one', 'more of it');
    expect(await page.getByText('Nothing is unread.').count()).toBe(1);
  });

  test('lists of conversations say who wrote what and when, also on a phone, and the whole row leads there', async () => {
    const { owner } = pages.server;
    await go('#inbox');
    await ann.ok('POST', '/mark_all_as_read');
    await page.getByText('Nothing is unread.').waitFor();
    await sendAs(owner, 'lines', 'the kiln is **cold**\n\n> again');
    const main = page.getByRole('main');
    const line = main.getByRole('listitem').filter({ hasText: 'lines' });
    await line.getByText('Owner: the kiln is cold again').waitFor();
    await owner.sendTo([ann], 'is it?');
    await main.getByRole('listitem').filter({ hasText: 'is it?' }).waitFor();
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await line.getByRole('time').textContent()).toMatch(/\d:\d\d/);
    for (const shown of [line.getByText('Owner: the kiln'), line.getByRole('time')])
      expect(await shown.isVisible()).toBe(true);
    await line.click();
    await page.getByRole('heading', { level: 1, name: 'lines' }).waitFor();
    await go('#recent');
    const recent = main.getByRole('listitem').filter({ hasText: 'lines' });
    await recent.getByRole('time').waitFor();
    expect(await recent.getByText('Owner').isVisible()).toBe(true);
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('a channel is created, left and joined again', async () => {
    await go('#browse');
    await page.getByLabel('Name').fill('harbour');
    await page.keyboard.press('Enter');
    const places = page.getByRole('navigation', { name: 'Places' });
    await places.getByRole('link', { name: 'harbour' }).waitFor();
    // Whoever creates a channel is led to it.
    await page.getByRole('heading', { level: 1, name: 'harbour' }).waitFor();
    await go('#browse');
    await page.getByRole('button', { name: 'Unsubscribe: harbour' }).click();
    await places.getByRole('link', { name: 'harbour' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Subscribe: harbour', exact: true }).click();
    await places.getByRole('link', { name: 'harbour' }).waitFor();
  });

  test('a draft is kept here and on the server, survives a reload, and is listed until it is sent or discarded', async () => {
    await go('#narrow/channel/1-general/topic/begun');
    await composer().fill('half of it');
    await page.getByText('draft saved').waitFor();
    await go('#narrow/channel/1-general');
    await page.getByRole('textbox', { name: 'Topic' }).fill('not begun');
    await composer().fill('without a topic');
    await page.getByText('draft saved').waitFor();
    const drafts = async () => (await ann.ok('GET', '/drafts')).drafts;
    await until(async () => (await drafts()).length > 0);
    expect(await drafts()).toMatchObject([{ topic: 'begun', content: 'half of it' }]);
    await page.reload();
    expect(await composer().inputValue()).toBe('without a topic');
    await go('#drafts');
    const main = page.getByRole('main');
    await main.getByRole('link', { name: '#general › begun' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'begun' }).waitFor();
    expect(await composer().inputValue()).toBe('half of it');
    await composer().press('Enter');
    await row('half of it').waitFor();
    await go('#drafts');
    await main.getByRole('button', { name: 'Discard what is for #general' }).click();
    await main.getByText('There are no drafts.').waitFor();
    await ann.ok('POST', '/drafts', {
      drafts: [{ type: 'stream', to: [1], topic: 'elsewhere', content: 'begun on a phone', timestamp: 1_700_000_000 }],
    });
    await main.getByRole('link', { name: '#general › elsewhere' }).waitFor();
    await main.getByRole('button', { name: 'Discard what is for #general › elsewhere' }).click();
    await main.getByText('There are no drafts.').waitFor();
  });

  test('the page opens without a connection, says so, and goes on by itself', async () => {
    await page.evaluate(() => (globalThis as any).navigator.serviceWorker.ready);
    await keptIn(page);
    await page.context().setOffline(true);
    await page.reload();
    const gone = page.getByRole('status').filter({ hasText: 'No answer from the server.' });
    await gone.waitFor();
    // A number that goes down each second would be read out each second.
    await page.getByText(/Trying again in/).waitFor();
    expect(await gone.textContent()).not.toMatch(/Trying again/);
    await page.context().setOffline(false);
    await gone.waitFor({ state: 'hidden' });
    pages.complaints.length = 0;
  });

  test('from right to left, the places are on the right and nothing sticks out, at any width', async () => {
    await page.evaluate(() => ((globalThis as any).document.documentElement.dir = 'rtl'));
    for (const width of [320, 768, 1280]) {
      await page.setViewportSize({ width, height: 720 });
      for (const hash of [
        '#inbox',
        '#narrow/channel/1-general/topic/words',
        '#settings/privacy',
        '#people',
        '#drafts',
      ]) {
        await go(hash);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const [scrolls, left] = await page.evaluate(() => {
          const { document } = globalThis as any;
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth - clientWidth, document.querySelector('main').getBoundingClientRect().left];
        });
        expect([width, hash, scrolls, left]).toEqual([width, hash, 0, 0]);
      }
    }
    await page.evaluate(() => ((globalThis as any).document.documentElement.dir = 'ltr'));
  });

  test('what is scheduled is listed, and can be taken back', async () => {
    const at = Math.floor(Date.now() / 1000) + 86_400;
    const message = { type: 'channel', to: 1, topic: 'tomorrow', content: 'later', scheduled_delivery_timestamp: at };
    await ann.ok('POST', '/scheduled_messages', message);
    await go('#drafts');
    await page.getByRole('button', { name: 'Discard what is for #general › tomorrow' }).click();
    await page.getByText('Nothing is scheduled.').waitFor();
    expect((await ann.ok('GET', '/scheduled_messages')).scheduled_messages).toEqual([]);
  });

  test('a search shows what it has found, as long as the message reads so', async () => {
    const { owner } = pages.server;
    const { id } = await sendAs(owner, 'a needle case', 'one needle, in the *hay*');
    await go('#narrow/search/needle');
    const found = (): Promise<string[]> => page.getByRole('main').locator('.highlight').allTextContents();
    await until(async () => (await found()).length === 2);
    expect(await found()).toEqual(['needle', 'needle']);
    await owner.ok('PATCH', `/messages/${id}`, { content: 'needle after needle' });
    await until(async () => (await found()).length === 3);
    // A notice would name the former topic.
    const move = { topic: 'the case', send_notification_to_new_thread: false };
    await owner.ok('PATCH', `/messages/${id}`, { content: 'none', ...move });
    await page.getByText('No message matches.').waitFor();
    expect(await found()).toEqual([]);
  });

  test('on a phone, one comes back from every view, and the bar at the bottom says where one is', async () => {
    await page.setViewportSize({ width: 390, height: 720 });
    const tab = page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Mentions' });
    for (const hash of ['#recent', '#browse', '#drafts', '#since', '#people', '#settings/profile', '#narrow']) {
      await go('#narrow/is/mentioned');
      await tab.and(page.locator('[aria-current=page]')).waitFor();
      await go(hash);
      await tab.and(page.locator(':not([aria-current])')).waitFor();
      await page.getByRole('button', { name: 'Back' }).click();
      await page.getByRole('heading', { level: 1, name: 'Mentions' }).waitFor();
    }
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('recent conversations come up as people write, and are walked through by keys', async () => {
    await sendAs(ann, 'older', 'one');
    await sendAs(ann, 'newer', 'two');
    await go('#recent');
    const links = page.getByRole('main').getByRole('link');
    await links
      .first()
      .and(page.getByRole('link', { name: '#general › newer' }))
      .waitFor();
    await sendAs(pages.server.owner, 'older', 'three');
    await links
      .first()
      .and(page.getByRole('link', { name: '#general › older' }))
      .waitFor();
    await links.first().focus();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'newer' }).waitFor();
  });

  test('recent conversations and lines of the inbox come up while messages come without a pause', async () => {
    const { owner } = pages.server;
    let count = 0;
    const sendCounted = async (): Promise<void> => {
      await sendAs(owner, 'counted', 'one more');
      count++;
    };
    for (const [hash, shown] of [
      ['#recent', '#general › busy at #recent'],
      ['#inbox', 'the second of #inbox'],
    ] as const) {
      await sendCounted();
      await go(hash);
      const counted = page.getByRole('main').getByRole('listitem').filter({ hasText: 'counted' });
      await counted.getByRole('time').waitFor();
      await sendAs(owner, `busy at ${hash}`, `the second of ${hash}`);
      do {
        await sendCounted();
        await counted.getByText(String(count), { exact: true }).waitFor();
      } while ((await page.getByRole('main').getByText(shown).count()) === 0);
    }
  });

  test('recent conversations go where they are moved, by events and after a cut, and are gone with their messages', async () => {
    const [{ id }, other] = [await sendAs(ann, 'to be moved', 'one'), await sendAs(ann, 'moved unseen', 'two')];
    await go('#recent');
    const named = (topic: string) => page.getByRole('main').getByRole('link', { name: `#general › ${topic}` });
    await named('to be moved').waitFor();
    const { owner } = pages.server;
    const move = (of: number, topic: string): Promise<unknown> =>
      owner.ok('PATCH', `/messages/${of}`, { topic, send_notification_to_new_thread: false });
    await move(id, 'where it belongs');
    await named('where it belongs').waitFor();
    await named('to be moved').waitFor({ state: 'detached' });
    await owner.ok('DELETE', `/messages/${id}`);
    await named('where it belongs').waitFor({ state: 'detached' });
    await page.context().setOffline(true);
    await page.getByText('No answer from the server.').waitFor();
    await move(other.id, 'moved meanwhile');
    await page.context().setOffline(false);
    await named('moved meanwhile').waitFor();
    await named('moved unseen').waitFor({ state: 'detached' });
    pages.complaints.length = 0;
  });

  test('with reduced motion, emoji that move stand still until the pointer is on them or a key plays them', async () => {
    const { server } = pages;
    const files = [await animation(32, 3)];
    await upload(server, server.owner, { path: '/realm/emoji/wave', files });
    const { id } = await sendAs(ann, 'waves', 'a :wave: here');
    await ann.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'wave' });
    await go('#narrow/channel/1-general/topic/waves');
    const [written, reaction] = [row('here').locator('.rendered img.emoji'), row('here').getByRole('img').last()];
    const shows =
      (name: RegExp) =>
      async (image: Locator): Promise<void> => {
        // Empty until the browser has chosen among the sources.
        const source = () => image.evaluate(({ currentSrc }: any) => currentSrc.replace(/[?#].*/, ''));
        await until(async () => name.test(await source()));
      };
    const [moves, isStill] = [shows(/\d\.gif$/), shows(/-still\.png$/)];
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const image of [written, reaction]) {
      await isStill(image);
      await image.hover();
      await moves(image);
      await composer().hover();
      await isStill(image);
    }
    // All of a message by one key, and the focus stays on it.
    await row('here').focus();
    for (const shown of [moves, isStill]) {
      await page.keyboard.press('p');
      for (const image of [written, reaction]) await shown(image);
    }
    await row('here').and(page.locator(':focus')).waitFor();
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    for (const image of [written, reaction]) await moves(image);
    await page.emulateMedia({ reducedMotion: null });
  });

  test('emoji that are text elsewhere are pictures, also in sequences', async () => {
    const { id } = await sendAs(ann, 'hearts', ':heart: and :hash:');
    await ann.ok('POST', `/messages/${id}/reactions`, { emoji_name: 'heart' });
    await go('#narrow/channel/1-general/topic/hearts');
    const written = row('and').locator('.rendered .emoji');
    await written.first().waitFor();
    expect(await written.allTextContents()).toEqual(['\u2764\ufe0f', '#\ufe0f\u20e3']);
    await page
      .getByRole('button', { name: /reacted with :heart:/ })
      .getByText('\u2764\ufe0f')
      .waitFor();
  });

  test('the time beside a message leaves its text alone, also on a clock of twelve hours', async () => {
    const other = await pages.server.user('Uma Usher');
    await sendAs(other, 'hours', 'one');
    await sendAs(other, 'hours', 'two');
    const theirs = await pages.signIn(other, { locale: 'en-US' });
    await theirs.evaluate(() => ((globalThis as any).location.hash = '#narrow/channel/1-general/topic/hours'));
    const second = theirs.locator('[role=article]', { hasText: 'two' });
    await second.hover();
    const side = second.locator('time[aria-hidden]');
    expect(await side.textContent()).toMatch(/^\d{1,2}:\d{2}$/);
    const isApart = await side.evaluate((time: any) => time.scrollWidth <= time.clientWidth);
    expect(isApart).toBe(true);
    await theirs.context().close();
  });

  test('times that stand there already follow the clock that the reader chooses', async () => {
    const other = await pages.server.user('Vera Vale');
    await other.ok('PATCH', '/settings', { twenty_four_hour_time: true });
    await sendAs(other, 'clocks', 'at <time:2026-01-15T21:07:00Z>');
    const theirs = await pages.signIn(other);
    await theirs.evaluate(() => ((globalThis as any).location.hash = '#narrow/channel/1-general/topic/clocks'));
    const times = theirs.locator('[role=article] time');
    await times.filter({ hasText: '21:07' }).waitFor();
    for (const [isTwentyFourHours, named] of [
      [false, /9:07\s?pm/i],
      [true, /21:07/],
    ] as const) {
      await other.ok('PATCH', '/settings', { twenty_four_hour_time: isTwentyFourHours });
      await times.filter({ hasText: named }).waitFor();
      await times
        .first()
        .and(theirs.getByText(isTwentyFourHours ? /^\d\d:\d\d$/ : /^\d+:\d\d\s?[ap]m$/i))
        .waitFor();
    }
    await theirs.context().close();
  });

  test('that a link is copied is seen for a moment', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await sendAs(ann, 'links', 'to be linked');
    await go('#narrow/channel/1-general/topic/links');
    await row('to be linked').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Copy link' }).click();
    await page.locator('[aria-live]', { hasText: 'Link copied.' }).waitFor({ state: 'attached' });
    const seen = page.getByRole('main').getByText('Link copied.');
    await seen.waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await seen.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => (globalThis as any).navigator.clipboard.readText())).toMatch(/topic\/links/);
  });

  test('without a connection, recent conversations stay, also for who comes back to them', async () => {
    await sendAs(ann, 'before the cut', 'one');
    const there = page.getByRole('main').getByRole('link', { name: '#general › before the cut' });
    await go('#recent');
    await there.waitFor();
    await go('#inbox');
    await page.context().setOffline(true);
    await page.getByText('No answer from the server.').waitFor();
    await go('#recent');
    await there.waitFor();
    expect(await page.getByRole('main').getByRole('alert').count()).toBe(0);
    await page.context().setOffline(false);
    await sendAs(ann, 'after the cut', 'two');
    await page.getByRole('main').getByRole('link', { name: '#general › after the cut' }).waitFor();
    pages.complaints.length = 0;
  });

  test('a server that answers, but refuses, is not said to be silent', async () => {
    const refused = { status: 403, json: { result: 'error', code: 'BAD_REQUEST', msg: 'Closed for the night' } };
    const other = await pages.signIn(ann);
    await other.getByText('live', { exact: true }).waitFor();
    await other.route(/\/api\/v1\/(register|events)/, (route) => route.fulfill(refused));
    // The poll that is held is answered still, and the next one refused.
    await sendAs(ann, 'at night', 'anybody?');
    await other.getByRole('status').filter({ hasText: 'Closed for the night' }).waitFor();
    expect(await other.getByText('No answer from the server.').count()).toBe(0);
    await other.context().close();
  });

  test('several people are written to at once, chosen in the list of all', async () => {
    const [bo, cy] = [await pages.server.user('Bo Several'), await pages.server.user('Cy Several')];
    await go('#people');
    await page.getByRole('checkbox', { name: 'Write to Cy Several,' }).click();
    await page.getByRole('link', { name: 'Write to Cy Several', exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Write to Bo Several,' }).press('Space');
    await page.getByRole('link', { name: 'Write to Cy Several, Bo Several' }).press('Enter');
    await composer().fill('to both of you');
    await composer().press('Enter');
    await row('to both of you').locator('.rendered').waitFor();
    const narrow = [{ operator: 'dm', operand: [bo.userId, cy.userId] }];
    const { messages } = await ann.ok('GET', '/messages', { narrow, anchor: 'newest', num_before: 5, num_after: 0 });
    expect(messages.map(({ content }: any) => content)).toEqual(['<p>to both of you</p>']);
  });

  test('a conversation that the server has trouble with says that it takes long, and is there once the trouble is over', async () => {
    await sendAs(ann, 'in trouble', 'found again');
    const other = await pages.signIn(ann);
    await other.getByText('live', { exact: true }).waitFor();
    let isInTrouble = true;
    await other.route(/\/api\/v1\/messages\?/, (route) =>
      isInTrouble ? route.fulfill({ status: 500, body: '<h1>no</h1>' }) : route.continue(),
    );
    await other.evaluate(`location.hash = '#narrow/channel/1-general/topic/in.20trouble'`);
    await other.getByText('This takes longer than usual.').waitFor();
    isInTrouble = false;
    await other.getByRole('article').filter({ hasText: 'found again' }).waitFor();
    await other.context().close();
    pages.complaints.length = 0;
  });

  test('the focus goes back to where it was, from every dialog and menu', async () => {
    await sendAs(ann, 'openers', 'mine');
    await go('#narrow/channel/1-general/topic/openers');
    await row('mine').waitFor();
    const isOfRow = /^(?:message-menu|reaction|edit|move|readers|remind|delete)$/;
    for (const [name, open] of dialogsOf(page)) {
      await page.getByRole('button', { name: /^Signed in as/ }).focus();
      await open();
      await page.keyboard.press('Escape');
      await until(async () => (await page.locator('dialog[open], [role=menuitem]').count()) === 0);
      const [tag, role] = await page.evaluate(() => {
        const { activeElement: one } = (globalThis as any).document;
        return [one.tagName, one.getAttribute('role')];
      });
      if (isOfRow.test(name)) expect([name, role]).toEqual([name, 'article']);
      else expect([name, tag]).toEqual([name, 'BUTTON']);
      await composer().fill('');
    }
  });

  test('a conversation that the reader comes back to follows, however many others they have seen', async () => {
    const { owner } = pages.server;
    const visit = async (topic: string): Promise<void> => {
      await go(`#narrow/channel/1-general/topic/${topic}`);
      await page.getByRole('heading', { level: 1 }).filter({ hasText: topic }).waitFor();
      await page.locator('[role=article]').first().waitFor();
    };
    for (let n = 0; n < 22; n++) await sendAs(owner, `other${n}`, `the first of other${n}`);
    await sendAs(owner, 'returns', 'the first');
    for (let n = 0; n < 22; n++) {
      await visit(`other${n}`);
      await row(`the first of other${n}`).waitFor();
      await visit('returns');
    }
    await sendAs(owner, 'returns', 'after all of them');
    await row('after all of them').waitFor();
  });

  test('a search is not fetched while nobody looks at it, and is up to date for who comes back', async () => {
    const { owner } = pages.server;
    const visit = async (n: number): Promise<void> => {
      await go(`#narrow/channel/1-general/topic/again${n}`);
      await row(`a quince of again${n}`).waitFor();
    };
    for (let n = 0; n < 4; n++) await sendAs(owner, `again${n}`, `a quince of again${n}`);
    await go('#narrow/search/quince');
    await page.locator('[role=article]').first().waitFor();
    for (let n = 0; n < 3; n++) await visit(n);
    const searches: string[] = [];
    page.on('request', (request) => {
      if (decodeURIComponent(request.url()).includes('"search"')) searches.push(request.url());
    });
    await sendAs(owner, 'again2', 'quince of all');
    await visit(3);
    await visit(0);
    await sendAs(owner, 'again0', 'after the search');
    await row('after the search').waitFor();
    expect(searches).toEqual([]);
    await go('#narrow/search/quince');
    await row('quince of all').waitFor();
  });

  test('the inbox shows a formula as it was typed', async () => {
    await sendAs(pages.server.owner, 'a formula', 'so $$a^2 + b^2$$ it is');
    await go('#inbox');
    await page.getByText('so a^2 + b^2 it is', { exact: false }).waitFor();
  });

  test('a topic is resolved, followed and muted from its menu', async () => {
    await sendAs(ann, 'to do', 'something');
    await go('#narrow/channel/1-general/topic/to.20do');
    const menu = page.getByRole('button', { name: 'This topic' });
    const choose = async (name: string): Promise<void> => {
      await menu.click();
      await page.getByRole('menuitem', { name, exact: true }).click();
    };
    // What was said last stands there for screen readers.
    const told = (text: string): Promise<void> =>
      page.locator('[aria-live]', { hasText: text }).waitFor({ state: 'attached' });
    // Who writes in a topic follows it.
    await choose('Do not follow');
    await told('You no longer follow this topic.');
    await choose('Follow');
    await told('You follow this topic.');
    await choose('Mute');
    await told('This topic is muted.');
    await choose('Unmute');
    await told('This topic is no longer muted.');
    await choose('Mark as resolved');
    await row('something').waitFor();
    await told('Marked as resolved.');
    await page.waitForURL(/topic\/.E2.9C.94.20to.20do$/);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Mark as not resolved' }).waitFor();
  });
});
