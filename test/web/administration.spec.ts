/** What administrators and owners of bots change in the chat page in Chromium, by mouse and again by keys. */
import { until } from '#testing';
import type { Locator, Page } from 'playwright-core';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { fetchPage, submit } from '../support/forms.js';
import { upload } from '../support/pictures.js';
import { type ChatPages, startChatPages, violationsIn } from './chat-page.js';

let pages: ChatPages;
let owner: ApiClient;
let page: Page;

const dialog = () => page.getByRole('dialog');
async function go(hash: string): Promise<void> {
  await page.evaluate((address) => ((globalThis as any).location.hash = address), hash);
  await page.locator(`a[aria-current=page][href="${hash}"]`).waitFor();
}
/** A way to press a button or a box: with the mouse, and with the key that has it. */
const WAYS: readonly (readonly [name: string, press: (one: Locator) => Promise<void>])[] = [
  ['by mouse', (one) => one.click()],
  ['by keys', (one) => one.press('Space')],
];
/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

withBrowser('administration in the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ({ owner } = pages.server);
    for (const name of ['kilns', 'wheels', 'glazes'])
      await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
    page = await pages.signIn(owner);
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('the list of emoji names also people who have left', async () => {
    const gone = await pages.server.user('Gus Gone');
    await upload(pages.server, gone, { path: '/realm/emoji/moving', files: [PIXEL] });
    await owner.ok('DELETE', `/users/${gone.userId}`);
    await go('#organization/emoji');
    await page.getByText('by Gus Gone').waitFor();
  });

  test.each(WAYS)('a linkifier is tried out before it is saved, %s', async (way, press) => {
    await go('#organization/linkifiers');
    await press(page.getByRole('button', { name: 'New linkifier' }));
    const [pattern, address, text] = ['Pattern', 'Address', 'Text to try'].map((label) => dialog().getByLabel(label));
    await pattern?.fill('#(?P<id>[0-9]+');
    await address?.fill('https://bugs.example.com/{id}');
    await text?.fill('see #12 and #13, not x#14');
    await dialog().getByText('Bad regular expression').waitFor();
    await pattern?.fill(`${way}#(?P<id>[0-9]+)`);
    await dialog().getByText('Nothing in it matches.').waitFor();
    await pattern?.fill('#(?P<id>[0-9]+)');
    await dialog().getByText('#12 → https://bugs.example.com/12').waitFor();
    await dialog().getByText('#13 → https://bugs.example.com/13').waitFor();
    expect(await dialog().getByText('→').count()).toBe(2);
    expect(await violationsIn(page)).toEqual([]);
    // Whoever tries a text saves nothing by it.
    await text?.press('Enter');
    await dialog().waitFor();
    await press(dialog().getByRole('button', { name: 'Cancel' }));
    await dialog().waitFor({ state: 'detached' });
    expect((await owner.ok('GET', '/realm/linkifiers')).linkifiers).toEqual([]);
  });

  test.each(WAYS)('groups of channels are made for new people, and chosen in an invitation, %s', async (way, press) => {
    const name = `Workshop ${way}`;
    const groups = async (): Promise<any[]> =>
      (await owner.ok('POST', '/register', { fetch_event_types: ['default_stream_groups'] }))
        .realm_default_stream_groups;
    const streamId = async (stream: string): Promise<number> =>
      (await owner.ok('GET', '/get_stream_id', { stream })).stream_id;
    await go('#organization/channels');
    await page.getByLabel('New group of channels').fill(name);
    await press(page.getByRole('region', { name: 'Groups of channels' }).getByRole('button', { name: 'Create' }));
    await press(page.locator('summary', { hasText: name }));
    const refused = { status: 400, json: { result: 'error', msg: 'Not now', code: 'BAD_REQUEST' } };
    await page.route('**/default_stream_groups/*/streams', (route) => route.fulfill(refused), { times: 1 });
    await page.getByLabel(`Add a channel to ${name}`).selectOption('kilns');
    await press(page.locator('details[open]').getByRole('button', { name: 'Add', exact: true }));
    await page.locator('details[open]').getByText('Not now').waitFor();
    expect(await page.getByLabel(`Add a channel to ${name}`).inputValue()).toBe('kilns');
    for (const channel of ['kilns', 'wheels']) {
      await page.getByLabel(`Add a channel to ${name}`).selectOption(channel);
      await press(page.locator('details[open]').getByRole('button', { name: 'Add', exact: true }));
      await page.getByRole('button', { name: `Remove ${channel} from ${name}` }).waitFor();
    }
    await press(page.getByRole('button', { name: `Remove wheels from ${name}` }));
    await page.getByRole('button', { name: `Remove wheels from ${name}` }).waitFor({ state: 'detached' });
    expect(await groups()).toMatchObject([{ name, streams: [await streamId('kilns')] }]);
    expect(await violationsIn(page)).toEqual([]);

    await go('#organization/invitations');
    await press(page.getByLabel(`${name}: #kilns`));
    await press(page.getByRole('button', { name: 'Create a link' }));
    await page.locator('li code').waitFor();
    expect(await violationsIn(page)).toEqual([]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await press(page.getByRole('button', { name: 'Copy link' }));
    await page.getByRole('main').getByText('Link copied.').waitFor();
    const shown = await page.locator('li code').textContent();
    expect(await page.evaluate(() => (globalThis as any).navigator.clipboard.readText())).toBe(shown);
    await go('#organization/channels');
    await press(page.locator('summary', { hasText: name }));
    await press(page.getByRole('button', { name: `Remove the group ${name}` }));
    await press(dialog().getByRole('button', { name: 'Remove' }));
    await page.locator('summary', { hasText: name }).waitFor({ state: 'detached' });
    expect(await groups()).toEqual([]);
    const [{ link_url: link, id }] = (await owner.ok('GET', '/invites')).invites;
    expect(link).toContain('/join/');
    const members = async (): Promise<number> =>
      (await owner.ok('GET', `/streams/${await streamId('kilns')}/members`)).subscribers.length;
    const earlier = await members();
    const filled = {
      email: `newcomer.${way.length}@example.com`,
      full_name: `New ${way}`,
      password: 'a good long password',
    };
    expect((await submit(await fetchPage(link), link, filled)).status).toBe(303);
    expect(await members()).toBe(earlier + 1);
    await owner.ok('DELETE', `/invites/multiuse/${id}`);
  });

  test.each(WAYS)('a bot has a picture, channels of its own and values for its program, %s', async (way, press) => {
    const name = `Oven ${way}`;
    const { user_id: id } = await owner.ok('POST', '/bots', { full_name: name, short_name: `oven-${way.length}` });
    const bot = async (): Promise<any> =>
      (await owner.ok('POST', '/register', { fetch_event_types: ['realm_bot'] })).realm_bots.find(
        ({ user_id }: any) => user_id === id,
      );
    const before = (await bot()).avatar_url;
    await go('#organization/bots');
    await press(page.getByRole('button', { name: `Change ${name}` }));
    const chooser = page.waitForEvent('filechooser');
    await press(dialog().getByRole('button', { name: 'Choose a picture' }));
    await (await chooser).setFiles({ name: 'bot.png', mimeType: 'image/png', buffer: PIXEL });
    await until(async () => (await bot()).avatar_url !== before);
    await dialog().getByText('Saved.').waitFor();
    await dialog().getByLabel('Channel that it writes to by default').selectOption('kilns');
    await dialog().getByLabel('Channel that it hears by default').selectOption('wheels');
    await press(dialog().getByLabel('It hears all public channels by default'));
    await dialog().getByLabel('New name').fill('oven_url');
    await (way === 'by keys'
      ? page.keyboard.press('Enter')
      : press(dialog().getByRole('button', { name: 'Add the name' })));
    await dialog().getByLabel('oven_url').fill('https://oven.example.com/');
    expect(await violationsIn(page)).toEqual([]);
    await press(dialog().getByRole('button', { name: 'Save' }));
    await dialog().waitFor({ state: 'detached' });
    expect(await bot()).toMatchObject({
      full_name: name,
      default_sending_stream: 'kilns',
      default_events_register_stream: 'wheels',
      default_all_public_streams: true,
    });
    await press(page.getByRole('button', { name: `Change ${name}` }));
    await dialog().getByLabel('oven_url').and(page.locator('[value="https://oven.example.com/"]')).waitFor();
    await dialog().getByLabel('Channel that it writes to by default').selectOption('none');
    await press(dialog().getByRole('button', { name: 'Save' }));
    await dialog().waitFor({ state: 'detached' });
    expect((await bot()).default_sending_stream).toBeNull();
    expect((await owner.ok('PATCH', `/bots/${id}`)).config_data).toEqual({ oven_url: 'https://oven.example.com/' });
  });

  test('of a bot, nothing is overwritten that is not loaded yet, and nothing that others change meanwhile', async () => {
    const [member, guest] = [await pages.server.user('Mia Member'), await pages.server.user('Gil Guest')];
    await owner.ok('PATCH', `/users/${guest.userId}`, { role: 600 });
    const { user_id: id } = await owner.ok('POST', '/bots', { full_name: 'Kiln', short_name: 'kiln' });
    await owner.ok('PATCH', `/bots/${id}`, { config_data: { kiln_url: 'stored' } });
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route(`**/api/v1/bots/${id}`, (route) => held.then(() => route.continue()), { times: 1 });
    await go('#organization/bots');
    await page.getByRole('button', { name: 'Change Kiln' }).click();
    await dialog().getByRole('group', { name: 'Values for its program' }).waitFor();
    const owners = await dialog().getByLabel('Owner').getByRole('option').allTextContents();
    expect([owners.includes(member.fullName), owners.includes(guest.fullName)]).toEqual([true, false]);
    expect(await dialog().getByLabel('New name').count()).toBe(0);
    letGo();
    await dialog().getByLabel('kiln_url').waitFor();
    await owner.ok('PATCH', `/bots/${id}`, { full_name: 'Other kiln', default_sending_stream: 'kilns' });
    await page.locator('button[aria-label="Change Other kiln"]').waitFor();
    expect(await dialog().getByLabel('Name', { exact: true }).inputValue()).toBe('Other kiln');
    await dialog().getByLabel('New name').fill('constructor');
    await dialog().getByRole('button', { name: 'Add the name' }).click();
    await dialog().getByLabel('constructor').fill('Ann');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().waitFor({ state: 'detached' });
    const { realm_bots: bots } = await owner.ok('POST', '/register', { fetch_event_types: ['realm_bot'] });
    const found = bots.find(({ user_id }: any) => user_id === id);
    expect(found).toMatchObject({ full_name: 'Other kiln', default_sending_stream: 'kilns' });
    const { config_data: config } = await owner.ok('PATCH', `/bots/${id}`);
    expect(config).toEqual({ kiln_url: 'stored', constructor: 'Ann' });
  });

  test('what the server does not answer is told, and is there by itself once it does', async () => {
    const email = 'waits@example.com';
    await owner.ok('POST', '/invites', { invitee_emails: email, stream_ids: [1] });
    const members = '**/api/v1/streams/*/members*';
    const told = page.getByRole('main').getByRole('alert').filter({ hasText: 'cannot be reached' });
    for (const [path, hash, shown] of [
      ['**/api/v1/invites*', '#organization/invitations', email],
      [members, '#browse/1', 'Find a subscriber'],
    ] as const) {
      await page.route(path, (route) => route.abort());
      await page.evaluate((to) => ((globalThis as any).location.hash = to), hash);
      await told.waitFor();
      await page.unroute(path);
      await page.getByRole('main').getByText(shown).first().waitFor();
      await told.waitFor({ state: 'detached' });
    }
    await page.route(members, (route) => route.abort());
    await pages.server.user('Nora Newcomer');
    await told.waitFor();
    await page.unroute(members);
    await page.getByRole('main').getByRole('link', { name: 'Nora Newcomer' }).waitFor();
    await told.waitFor({ state: 'detached' });
  });
});
