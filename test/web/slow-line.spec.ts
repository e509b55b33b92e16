/** What people do in the chat page while the server has not answered yet: nothing of it is lost or done twice. In Chromium. */
import type { Page, Route } from 'playwright-core';
import { until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, startChatPages } from './chat-page.js';

let pages: ChatPages;
let owner: ApiClient;
let page: Page;

const go = (hash: string): Promise<unknown> => page.evaluate((to) => ((globalThis as any).location.hash = to), hash);
const dialog = () => page.getByRole('dialog');
const row = (text: string) => page.locator('[role=article]', { hasText: text });
const composer = () => page.getByRole('textbox', { name: /^Message / });
const send = (topic: string, content: string) =>
  owner.ok('POST', '/messages', { type: 'channel', to: 'general', topic, content });

async function open(topic: string, text: string): Promise<void> {
  await go(`#narrow/channel/1-general/topic/${topic}`);
  await page.getByRole('heading', { level: 1, name: topic }).waitFor();
  await row(text).waitFor();
}

interface Held {
  /** Waits until something is asked. */
  readonly asked: () => Promise<void>;
  readonly letGo: () => void;
}

/** Holds what the page asks of an address, until it is let go. */
async function hold(address: string, method = 'POST', options: { readonly times?: number } = {}): Promise<Held> {
  let letGo = (): void => undefined;
  const gone = new Promise<void>((resolve) => (letGo = resolve));
  let isAsked = false;
  const answer = async (route: Route): Promise<void> => {
    if (route.request().method() === method) {
      isAsked = true;
      await gone;
    }
    await route.fallback();
  };
  await page.route(address, answer, options);
  return { asked: () => until(() => isAsked), letGo };
}

withBrowser('the chat page on a slow line, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ({ owner } = pages.server);
    page = await pages.signIn(owner);
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('what is typed into a field while it is saved stays, and is saved next', async () => {
    await go('#settings/profile');
    const name = page.getByLabel('Your name');
    const first = await hold('**/api/v1/settings', 'PATCH');
    await name.fill('Olive');
    await page.keyboard.press('Enter');
    await first.asked();
    await name.fill('Olive O');
    await page.keyboard.press('Enter');
    first.letGo();
    await page.getByRole('button', { name: 'Signed in as Olive O', exact: true }).waitFor();
    expect(await name.inputValue()).toBe('Olive O');
    await page.getByText('Saved.').waitFor();
    await name.fill('Olive Owner');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Signed in as Olive Owner', exact: true }).waitFor();
  });

  test('something new is made once, and the name of the next one stays', async () => {
    await go('#organization/groups');
    const made = await hold('**/api/v1/user_groups/create');
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('potters');
    for (let press = 0; press < 2; press++) await page.keyboard.press('Enter');
    await made.asked();
    await name.fill('glazers');
    made.letGo();
    await page.getByText('potters').waitFor();
    await page.getByText('Saved.').waitFor();
    expect(await name.inputValue()).toBe('glazers');
    await page.keyboard.press('Enter');
    await page.getByText('glazers').waitFor();
  });

  test('who has left the list of channels is not led to the one that they made', async () => {
    await go('#browse');
    const made = await hold('**/api/v1/channels/create');
    await page.getByLabel('Name').fill('kilns');
    for (let press = 0; press < 2; press++) await page.keyboard.press('Enter');
    await made.asked();
    await go('#inbox');
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    made.letGo();
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'kilns' }).waitFor();
    expect(await page.evaluate(() => (globalThis as any).location.hash)).toBe('#inbox');
  });

  test('people who are added one after another to a field of the profile are all there', async () => {
    const people = await Promise.all(['Ann Archer', 'Ben Baker', 'Cleo Cook'].map((name) => pages.server.user(name)));
    const { id } = await owner.ok('POST', '/realm/profile_fields', { name: 'Mentors', field_type: 6 });
    await go('#settings/profile');
    const mentors = async () => JSON.parse((await owner.ok('GET', '/users/me')).profile_data[id]?.value ?? '[]');
    const add = async (name: string): Promise<void> => {
      await page.getByLabel('Mentors: add somebody').fill(name);
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor();
    };
    const first = await hold('**/users/me/profile_data', 'PATCH');
    for (const { fullName } of people.slice(0, 2)) await add(fullName);
    await first.asked();
    const second = await hold('**/users/me/profile_data', 'PATCH');
    first.letGo();
    await second.asked();
    // An event after that of the first.
    await owner.ok('PATCH', '/settings', { full_name: 'Olive Told' });
    await page.getByRole('button', { name: 'Signed in as Olive Told', exact: true }).waitFor();
    expect(await mentors()).toHaveLength(1);
    await add('Cleo Cook');
    second.letGo();
    await until(async () => (await mentors()).length === 3);
    expect(await mentors()).toEqual(people.map(({ userId }) => userId));
  });

  test('a snippet is saved once, and its answer closes no other form', async () => {
    await go('#narrow/channel/1-general/topic/snippets');
    await page.getByRole('button', { name: 'Saved snippets' }).click();
    const saved = await hold('**/api/v1/saved_snippets');
    await dialog().getByRole('button', { name: 'New snippet' }).click();
    await dialog().getByLabel('Title').fill('thanks');
    await dialog().getByLabel('Text').fill('Thank you.');
    await dialog().getByLabel('Title').focus();
    for (let press = 0; press < 2; press++) await page.keyboard.press('Enter');
    await saved.asked();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().getByRole('button', { name: 'New snippet' }).click();
    await dialog().getByLabel('Title').fill('another');
    saved.letGo();
    await dialog().getByRole('button', { name: 'Insert “thanks”' }).waitFor();
    expect(await dialog().getByLabel('Title').inputValue()).toBe('another');
    await page.keyboard.press('Escape');
    expect((await owner.ok('GET', '/saved_snippets')).saved_snippets).toHaveLength(1);
  });

  test('the answer to an edit closes no other one that was begun since', async () => {
    for (const content of ['first wording', 'another message']) await send('edits', content);
    await open('edits', 'another message');
    const edit = async (text: string): Promise<void> => {
      await row(text).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitem', { name: 'Edit' }).click();
      await dialog().locator('textarea:not([readonly])').waitFor();
    };
    await edit('first wording');
    const saved = await hold('**/api/v1/messages/*', 'PATCH');
    await dialog().getByRole('textbox').fill('second wording');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await saved.asked();
    await page.keyboard.press('Escape');
    await edit('another message');
    await dialog().getByRole('textbox').fill('half of another');
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
    saved.letGo();
    await (await answered).finished();
    await row('second wording').waitFor();
    expect(await dialog().getByRole('textbox').inputValue()).toBe('half of another');
    await page.keyboard.press('Escape');
  });

  test('what is typed after a message was scheduled stays, and the focus with it', async () => {
    await send('later', 'there');
    await open('later', 'there');
    await composer().fill('tomorrow');
    const saved = await hold('**/api/v1/scheduled_messages');
    await page.getByRole('button', { name: 'Send later' }).click();
    await dialog()
      .getByRole('button', { name: /^Tomorrow morning/ })
      .click();
    await saved.asked();
    await page.keyboard.press('Escape');
    await composer().fill('tomorrow, and today');
    await row('there').focus();
    saved.letGo();
    await page.locator('[aria-live]', { hasText: /^To be sent / }).waitFor({ state: 'attached' });
    expect(await composer().inputValue()).toBe('tomorrow, and today');
    expect(await row('there').evaluate((one: any) => one === one.ownerDocument.activeElement)).toBe(true);
    await composer().fill('');
  });

  test('the answer to a message that was scheduled leaves the dialog of the next one open', async () => {
    await send('later twice', 'a topic of its own');
    await go('#narrow/channel/1-general/topic/later.20twice');
    // The service worker would answer for files before they can be held.
    await page.evaluate(async () => {
      const { navigator } = globalThis as any;
      for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
    });
    // Forgets what was told before.
    await page.reload();
    await row('a topic of its own').waitFor();
    await composer().fill('the first of two');
    const saved = await hold('**/api/v1/scheduled_messages');
    const times = () => dialog().getByRole('button', { name: /^Tomorrow morning/ });
    await page.getByRole('button', { name: 'Send later' }).click();
    await times().click();
    await saved.asked();
    await page.keyboard.press('Escape');
    await composer().fill('the second of two');
    await page.getByRole('button', { name: 'Send later' }).click();
    await times().waitFor();
    const told = page.locator('[aria-live]', { hasText: /^To be sent / });
    saved.letGo();
    await told.waitFor({ state: 'attached' });
    expect(await times().isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await composer().fill('');
  });

  test('what is quoted from a list waits for the composer of its conversation', async () => {
    await send('asked', 'who comes?');
    await go('#narrow/channel/1-general');
    await row('who comes?').focus();
    const messages = await hold('**/api/v1/messages?*', 'GET');
    await page.keyboard.press('>');
    await page.getByRole('heading', { level: 1, name: 'asked' }).waitFor();
    await messages.asked();
    messages.letGo();
    await until(async () => (await composer().inputValue()).endsWith('```quote\nwho comes?\n```\n'));
    await composer().fill('');
  });

  test('keys that are pressed before the dialog of emoji and its names are there are for it', async () => {
    await send('keys', 'pressed early');
    await open('keys', 'pressed early');
    await row('pressed early').focus();
    const [part, names] = [await hold('**/app/emoji-picker-*.js', 'GET'), await hold('**/static/emoji.json*', 'GET')];
    await page.keyboard.press('+');
    await part.asked();
    // On the page, the first of them leads to the inbox.
    await page.keyboard.type('ice_cream');
    part.letGo();
    await dialog().waitFor();
    await until(async () => (await dialog().getByRole('searchbox').inputValue()) === 'ice_cream');
    await page.keyboard.press('Enter');
    names.letGo();
    await dialog().waitFor({ state: 'detached' });
    await row('pressed early')
      .getByRole('button', { name: /reacted with :ice_cream:/ })
      .waitFor();
  });

  test('who has signed in again is not asked to while the state is on its way', async () => {
    await send('keys', 'after signing in');
    await open('keys', 'after signing in');
    const session = await page.context().cookies();
    await page.context().clearCookies();
    await row('after signing in').focus();
    await page.keyboard.press('*');
    await dialog().waitFor();
    await page.context().addCookies(session);
    const state = await hold('**/api/v1/register');
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password').fill('correct horse');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await state.asked();
    await send('elsewhere', 'not seen yet');
    await open('elsewhere', 'not seen yet');
    expect(await dialog().count()).toBe(0);
    state.letGo();
    await page.getByText('live', { exact: true }).waitFor();
  });

  test('a list that was asked for before a change does not replace the one that was asked for after it', async () => {
    let letGo = (): void => undefined;
    const gone = new Promise<void>((resolve) => (letGo = resolve));
    let isThere = false;
    await page.route(
      '**/api/v1/invites',
      async (route) => {
        const response = await route.fetch();
        await gone;
        await route.fulfill({ response });
        isThere = true;
      },
      { times: 1 },
    );
    await go('#organization/invitations');
    await page.getByRole('button', { name: 'Create a link' }).click();
    const link = page.locator('li code');
    await link.waitFor();
    letGo();
    await until(() => isThere);
    await page.evaluate(() => new Promise((drawn) => (globalThis as any).requestAnimationFrame(drawn)));
    expect(await link.count()).toBe(1);
  });

  test('a button keeps the focus while what it does is on its way, and does it once', async () => {
    await go('#organization/invitations');
    const button = page.getByRole('button', { name: 'Create a link' });
    const links = page.locator('li code');
    await links.first().waitFor();
    const told = await hold('**/api/v1/invites/multiuse');
    await button.focus();
    for (let times = 0; times < 2; times++) {
      await page.keyboard.press('Enter');
      await told.asked();
    }
    expect(await button.evaluate((one: any) => one === one.ownerDocument.activeElement)).toBe(true);
    told.letGo();
    await page.getByRole('main').getByText('The link is below.').waitFor();
    expect(await links.count()).toBe(2);
  });

  test('what is refused after the session has ended is not told over the dialog that asks to sign in', async () => {
    const { id } = await send('ended', 'reacted to too late');
    await (await pages.server.user()).ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    await open('ended', 'reacted to too late');
    const told = await hold('**/api/v1/messages/*/reactions');
    const refused = page.waitForResponse((one) => one.url().endsWith('/reactions') && one.status() === 401);
    await row('reacted to too late')
      .getByRole('button', { name: /reacted with :tada:/ })
      .click();
    await told.asked();
    // Not before: anything else that the page asks would tell it, and nothing could be clicked.
    await page.context().clearCookies();
    // Its poll tells first.
    await page.evaluate(() => (globalThis as any).dispatchEvent(new (globalThis as any).Event('online')));
    await page.getByLabel('E-mail address').fill(owner.email);
    told.letGo();
    await refused;
    await page.getByLabel('Password').fill('correct horse');
    await page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    await page.getByText('live', { exact: true }).waitFor();
    expect(await dialog().count()).toBe(0);
  });

  test('a double click on a reaction adds it, and says nothing of the second click', async () => {
    const { id } = await send('reactions', 'clicked twice');
    await (await pages.server.user()).ok('POST', `/messages/${id}/reactions`, { emoji_name: 'tada' });
    await open('reactions', 'clicked twice');
    const reaction = row('clicked twice').getByRole('button', { name: /reacted with :tada:/ });
    const told = await hold('**/api/v1/messages/*/reactions');
    const answers = [200, 400].map((status) =>
      page.waitForResponse((one) => one.url().endsWith('/reactions') && one.status() === status),
    );
    await reaction.dblclick();
    told.letGo();
    await Promise.all(answers);
    await reaction.and(page.locator('[aria-pressed=true]')).waitFor();
    expect(await dialog().count()).toBe(0);
  });

  test('options that are added to a poll one after another are all there, in their order', async () => {
    await send('polls', '/poll When?\nnow');
    await open('polls', 'When?');
    // The first one is on its way for longer than the next.
    const told = await hold('**/api/v1/submessage', 'POST', { times: 1 });
    const field = row('When?').getByRole('textbox', { name: 'Another option' });
    for (const option of ['later', 'never']) {
      await field.fill(option);
      await field.press('Enter');
    }
    // One that did not wait for it would be there first.
    await send('polls', 'meanwhile');
    await page.evaluate(() => new Promise((drawn) => (globalThis as any).requestAnimationFrame(drawn)));
    told.letGo();
    await until(async () => (await row('When?').getByRole('listitem').count()) === 3);
    expect(await row('When?').getByRole('listitem').allTextContents()).toEqual(['0now', '0later', '0never']);
  });
});
