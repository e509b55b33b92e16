/** Own settings and administration in the chat page: what people choose is what the server has, and refusals stand at the field. */
import { until } from '#testing';
import type { Page } from 'playwright-core';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, OF_COLOURS, SECTIONS, startChatPages, violationsIn } from './chat-page.js';

let pages: ChatPages;
let ann: ApiClient;
let page: Page;
/** Where the owner is signed in. */
let owners: Page;

async function go(to: Page, hash: string, heading: string): Promise<void> {
  await to.evaluate((address) => ((globalThis as any).location.hash = address), hash);
  await to.getByRole('heading', { level: 1, name: heading }).waitFor();
}
const settings = async (section: string): Promise<void> => {
  await go(page, `#settings/${section}`, 'Settings');
  await page.locator(`a[aria-current=page][href="#settings/${section}"]`).waitFor();
};
const settingsOf = async (who: ApiClient) =>
  (await who.ok('POST', '/register', { fetch_event_types: ['user_settings'] })).user_settings;
/** A picture of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

async function expectAccessible(to: Page, addresses: readonly (readonly [string, string])[]): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await to.emulateMedia({ colorScheme });
    for (const [hash, heading] of addresses) {
      await go(to, hash, heading);
      expect([hash, colorScheme, await violationsIn(to, colorScheme === 'dark' ? OF_COLOURS : undefined)]).toEqual([
        hash,
        colorScheme,
        [],
      ]);
    }
  }
  await to.emulateMedia({ colorScheme: null });
}

withBrowser('settings in the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ann = await pages.server.user();
    page = await pages.signIn(ann);
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('colours, times and density change at once, here and on the server', async () => {
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('menuitem', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Appearance' }).click();
    await page.getByLabel('Colours').selectOption('dark');
    await page.locator('html[data-theme=dark]').waitFor();
    await page.getByLabel('Density').selectOption('compact, without pictures');
    await page.locator('html[data-density=compact]').waitFor();
    await page.getByLabel('Show times as 16:00').focus();
    await page.keyboard.press('Space');
    await page.getByLabel('Show times as 16:00').and(page.locator(':checked')).waitFor();
    // The page shows a change before the server has it.
    await until(async () => (await settingsOf(ann)).twenty_four_hour_time);
    const { color_scheme, web_font_size_px } = await settingsOf(ann);
    expect([color_scheme, web_font_size_px]).toEqual([2, 14]);
    await ann.ok('PATCH', '/settings', { color_scheme: 1, web_font_size_px: 16 });
    await page.locator('html[data-density=comfortable]').waitFor();
    expect(await page.getByLabel('Colours').locator(':checked').textContent()).toBe('as on this device');
  });

  test('a refusal stands at the field, and what was typed stays', async () => {
    await settings('notifications');
    const seconds = page.getByLabel('Seconds of missed messages that one mail collects');
    await seconds.fill('300');
    await page.keyboard.press('Enter');
    await page.getByText('Saved.').waitFor();
    expect((await settingsOf(ann)).email_notifications_batching_period_seconds).toBe(300);
    await settings('profile');
    const name = page.getByLabel('Your name');
    await name.fill('Ann*Archer');
    await page.keyboard.press('Enter');
    await page.getByText('Invalid characters in name!').waitFor();
    expect([await name.inputValue(), await name.getAttribute('aria-invalid')]).toEqual(['Ann*Archer', 'true']);
    await name.fill('Ann Archer');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Signed in as Ann Archer' }).waitFor();
  });

  test('a profile has a picture, a time zone and the fields of the organization', async () => {
    const { owner } = pages.server;
    const options = { a: { text: 'Kiln', order: '1' }, b: { text: 'Wheel', order: '2' } };
    await owner.ok('POST', '/realm/profile_fields', { name: 'Station', field_type: 3, field_data: options });
    await owner.ok('POST', '/realm/profile_fields', { name: 'Mentor', field_type: 6 });
    await settings('profile');
    await page.getByLabel('Station').selectOption('Wheel');
    const mentor = page.getByLabel('Mentor: add somebody');
    await mentor.fill('Nobody At All');
    await page.keyboard.press('Enter');
    await page.getByText('Nobody here is called “Nobody At All”.').waitFor();
    await mentor.fill('Olive Owner');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove Olive Owner' }).waitFor();
    await page.getByLabel('Time zone').selectOption('Europe/Lisbon');
    await page.locator('input[type=file]').setInputFiles({ name: 'ann.png', mimeType: 'image/png', buffer: PIXEL });
    await page.locator('main img[src*="user_avatars"]').waitFor();
    const { user_id: ownerId } = await owner.ok('GET', '/users/me');
    // The page shows a change before the server has it.
    await until(async () => {
      const { profile_data, timezone } = await ann.ok('GET', '/users/me');
      return timezone === 'Europe/Lisbon' && Object.keys(profile_data).length === 2;
    });
    const { profile_data, timezone, avatar_url } = await ann.ok('GET', '/users/me');
    expect([Object.values(profile_data).map(({ value }: any) => value), timezone]).toEqual([
      ['b', `[${ownerId}]`],
      'Europe/Lisbon',
    ]);
    expect(avatar_url).toMatch(/user_avatars/);
  });

  test('people, topics and words are muted, listed and let go', async () => {
    await ann.ok('POST', '/user_topics', { stream_id: 1, topic: 'noise', visibility_policy: 1 });
    await settings('muting');
    await page.getByLabel('Word or phrase').fill('kiln fire');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove kiln fire' }).waitFor();
    await page.getByLabel('Mute somebody').selectOption('Olive Owner');
    await page.getByRole('button', { name: 'Remove Olive Owner' }).waitFor();
    // The page shows a change before the server has it.
    const alertWords = async () => (await ann.ok('GET', '/users/me/alert_words')).alert_words;
    await until(async () => (await alertWords()).length > 0);
    expect(await alertWords()).toEqual(['kiln fire']);
    for (const name of ['kiln fire', 'Olive Owner', 'noise']) {
      await page.getByRole('button', { name: `Remove ${name}` }).click();
      await page.getByRole('button', { name: `Remove ${name}` }).waitFor({ state: 'detached' });
    }
  });

  test('the key is shown for the password; a new password keeps this browser signed in', async () => {
    await settings('account');
    const password = `the password of ${ann.fullName}`;
    const key = page.getByRole('region', { name: 'API key' });
    await key.getByLabel('Password').fill('a wrong one');
    await page.keyboard.press('Enter');
    await key.getByText('Your username or password is incorrect').waitFor();
    await key.getByLabel('Password').fill(password);
    await page.keyboard.press('Enter');
    expect(await key.locator('code').textContent()).toMatch(/^\w{32}$/);
    const direction = await page.evaluate(() => {
      const { document, getComputedStyle } = globalThis as any;
      document.documentElement.dir = 'rtl';
      const found = getComputedStyle(document.querySelector('code')).direction;
      document.documentElement.dir = 'ltr';
      return found;
    });
    expect(direction).toBe('ltr');
    await page.getByLabel('Present password').fill(password);
    await page.getByLabel('New password').fill('another, longer password');
    await page.keyboard.press('Enter');
    await page.getByText('The password is changed.').waitFor();
    await settings('appearance');
    await page.getByLabel('Show times as 16:00').uncheck();
    await page.getByText('Saved.').waitFor();
    await go(page, '#narrow/channel/1-general/topic/sessions', 'general');
    await page.getByRole('textbox', { name: /^Message/ }).fill('in another session');
    await page.keyboard.press('Enter');
    await page.getByRole('article').locator('.rendered', { hasText: 'in another session' }).waitFor();
  });

  test('an owner invites, gives roles, deactivates and reactivates', async () => {
    const { owner, user } = pages.server;
    const bert = await user('Bert Baker');
    owners = await pages.signIn(owner);
    await owners.getByRole('button', { name: /^Signed in as/ }).focus();
    await owners.keyboard.press('Enter');
    await owners.getByRole('menuitem', { name: 'Organization' }).press('Enter');
    await owners.getByLabel('Find somebody').fill('bert');
    await owners.getByLabel('Role of Bert Baker').selectOption('moderator');
    const account = async () => (await owner.ok('GET', `/users/${bert.userId}`)).user;
    await until(async () => (await account()).role === 300);
    await owners.getByRole('button', { name: 'Deactivate Bert Baker' }).click();
    await owners.getByRole('dialog').getByRole('button', { name: 'Deactivate' }).click();
    await owners.getByText('Nobody matches.').waitFor();
    expect(await account()).toMatchObject({ is_active: false, role: 300 });
    await owners.getByLabel('Which people').selectOption('deactivated');
    await owners.getByRole('button', { name: 'Reactivate Bert Baker' }).click();
    await owners.getByText('Nobody matches.').waitFor();
    expect(await account()).toMatchObject({ is_active: true });

    await go(owners, '#organization/invitations', 'Organization');
    await owners.getByLabel('They join as').selectOption('guest');
    await owners.getByRole('button', { name: 'Create a link' }).click();
    const link = await owners.locator('li code').textContent();
    expect(link).toContain(`${pages.server.url}/join/`);
    expect((await owner.ok('GET', '/invites')).invites).toMatchObject([{ is_multiuse: true, invited_as: 600 }]);
    await owners.getByRole('button', { name: `Copy link ${link}`, exact: true }).waitFor();
    await owners.getByRole('button', { name: `Revoke the invitation by the link ${link}`, exact: true }).click();
    await owners.getByText('Nobody is invited.').waitFor();
    await owners.getByLabel('E-mail addresses').fill('not an address');
    await owners.getByRole('button', { name: 'Send invitations' }).click();
    await owners.locator('[aria-live] p', { hasText: /\w/ }).first().waitFor();
    expect(await owners.getByLabel('E-mail addresses').inputValue()).toBe('not an address');
    await owners.getByLabel('E-mail addresses').fill('nora@example.com');
    await owners.getByRole('button', { name: 'Send invitations' }).click();
    const again = owners.waitForResponse((response) => response.url().endsWith('/resend'));
    await owners.getByRole('button', { name: 'Send again to nora@example.com' }).click();
    expect((await again).status()).toBe(200);
    await owners.getByRole('button', { name: 'Revoke the invitation of nora@example.com' }).click();
    await owners.getByText('Nobody is invited.').waitFor();
  });

  test('an owner changes settings and permissions; others see why they cannot', async () => {
    const { owner } = pages.server;
    await go(owners, '#organization/settings', 'Organization');
    await owners.getByLabel('Find a setting').fill('how long content can be edited');
    await owners.getByLabel('Editing time limit').fill('');
    await owners.keyboard.press('Enter');
    await owners.getByText('Saved.').waitFor();
    await owners.getByLabel('Find a setting').fill('name of the organization');
    await owners.getByLabel('Organization name').fill('Kiln');
    await owners.keyboard.press('Enter');
    await page.locator('header', { hasText: 'Kiln' }).first().waitFor();
    await go(owners, '#organization/permissions', 'Organization');
    await owners.getByLabel('Invite people').selectOption('moderators');
    await owners.getByText('Saved.').waitFor();
    const realm = await owner.ok('POST', '/register', { fetch_event_types: ['realm', 'realm_user_groups'] });
    const group = realm.realm_user_groups.find(({ id }: any) => id === realm.realm_can_invite_users_group);
    expect([realm.realm_message_content_edit_limit_seconds, group.name]).toEqual([null, 'role:moderators']);
    await go(page, '#organization/permissions', 'Organization');
    expect(await page.getByLabel('Invite people').isDisabled()).toBe(true);
    await page.getByText('Only owners may change this.').first().waitFor();
  });

  test('each setting of the organization has a short name, and the sentence that says what it does', async () => {
    for (const section of ['settings', 'permissions']) {
      await go(owners, `#organization/${section}`, 'Organization');
      await owners.getByLabel('Find a setting').waitFor();
      const found: readonly { readonly label: string; readonly description: string }[] = await owners.evaluate(() =>
        [...(globalThis as any).document.querySelectorAll('main [aria-describedby]:not(main fieldset *)')].map(
          (field) => ({
            label: (field.labels?.[0] ?? field.querySelector('legend')).textContent,
            description: field
              .getAttribute('aria-describedby')
              .split(' ')
              .map((id: string) => (globalThis as any).document.getElementById(id)?.textContent ?? '')
              .join(''),
          }),
        ),
      );
      expect(found.length).toBeGreaterThan(20);
      expect(found.filter(({ label }) => !/^[A-Z]\S*(?: \S+){1,4}$/.test(label) || label.endsWith('.'))).toEqual([]);
      // A sentence that its name repeats is not shown.
      const isSaid = ({ label, description }: (typeof found)[number]): boolean =>
        /^[A-Z].*\.$/.test(description) && description !== `${label}.`;
      if (section === 'settings') expect(found.filter((one) => !isSaid(one))).toEqual([]);
      else expect(found.filter(({ description }) => description !== '').every(isSaid)).toBe(true);
    }
  });

  test('an owner archives channels, makes folders, groups and emoji', async () => {
    const { owner } = pages.server;
    await owner.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: 'harbour' }] });
    await go(owners, '#organization/channels', 'Organization');
    await owners.getByLabel('New folder').fill('Docks');
    await owners.keyboard.press('Enter');
    await owners.getByLabel('Folder of harbour').selectOption('Docks');
    await owners.getByLabel('New people are subscribed to harbour').check();
    await owners.getByRole('button', { name: 'Archive harbour' }).click();
    await owners.getByRole('dialog').getByRole('button', { name: 'Archive' }).click();
    await owners.getByRole('button', { name: 'Bring back harbour' }).click();
    await owners.getByRole('button', { name: 'Archive harbour' }).waitFor();
    await go(owners, '#organization/groups', 'Organization');
    await owners.getByLabel('Name', { exact: true }).fill('potters');
    await owners.keyboard.press('Enter');
    await owners.locator('summary', { hasText: 'potters' }).click();
    await owners.getByLabel('Add somebody').fill('Bert Baker');
    await owners.keyboard.press('Enter');
    await owners.getByRole('button', { name: 'Remove Bert Baker' }).waitFor();
    await owners.getByLabel('Who may mention it').selectOption('administrators');
    await owners.getByText('Saved.').first().waitFor();
    await go(owners, '#organization/emoji', 'Organization');
    await owners.getByLabel('Name of the emoji').fill('kiln');
    await owners.locator('input[type=file]').setInputFiles({ name: 'k.png', mimeType: 'image/png', buffer: PIXEL });
    await owners.getByRole('button', { name: 'Remove kiln' }).waitFor();
    const { user_groups } = await owner.ok('GET', '/user_groups');
    expect(user_groups.find(({ name }: any) => name === 'potters').members).toHaveLength(2);
  });

  test('emoji of the organization are offered with their pictures, unless they are deactivated', async () => {
    await owners.getByLabel('Name of the emoji').fill('kiln_cold');
    await owners.locator('input[type=file]').setInputFiles({ name: 'k.png', mimeType: 'image/png', buffer: PIXEL });
    await owners.getByRole('button', { name: 'Remove kiln_cold' }).click();
    await owners.getByRole('button', { name: 'Remove kiln_cold' }).waitFor({ state: 'detached' });
    await go(page, '#narrow/channel/1-general/topic/emoji', 'general');
    const composer = page.getByRole('textbox', { name: /^Message/ });
    await composer.pressSequentially(':kil');
    const option = page.getByRole('option', { name: 'kiln', exact: true });
    await option.locator('img[src*="/emoji/"]').waitFor();
    // Characters are loaded after it.
    await composer.pressSequentially('o');
    await page.getByRole('listbox').waitFor({ state: 'hidden' });
    await page.keyboard.press('Backspace');
    await option.waitFor();
    expect(await page.getByRole('option', { name: 'kiln' }).count()).toBe(1);
    await page.keyboard.press('Enter');
    expect(await composer.inputValue()).toBe(':kiln: ');
    await page.keyboard.press('Enter');
    const row = page.getByRole('article').filter({ has: page.locator('.rendered img[alt=":kiln:"]') });
    await row.hover();
    await row.getByRole('button', { name: 'Add a reaction' }).click();
    const picker = page.getByRole('dialog');
    await picker.getByLabel('Find an emoji').fill('kiln');
    await picker.getByRole('button', { name: 'kiln', exact: true }).locator('img[src*="/emoji/"]').waitFor();
    expect(await picker.getByRole('button', { name: 'kiln' }).count()).toBe(1);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /reacted with :kiln:/ }).waitFor();
  });

  test('an owner adds linkifiers, orders them, tries a text, changes and removes them', async () => {
    const { owner } = pages.server;
    await go(owners, '#organization/linkifiers', 'Organization');
    await owners.getByText('There are no linkifiers yet.').waitFor();
    const dialog = owners.getByRole('dialog');
    const add = async (pattern: string, template: string): Promise<void> => {
      await owners.getByRole('button', { name: 'New linkifier' }).click();
      await dialog.getByLabel('Pattern').fill(pattern);
      await dialog.getByLabel('Address').fill(template);
      await owners.keyboard.press('Enter');
    };
    await add('#(?P<id>[0-9]+', 'https://bugs.example.com/{id}');
    await dialog.getByRole('alert').filter({ hasText: 'Bad regular expression' }).waitFor();
    await dialog.getByLabel('Pattern').fill('#(?P<id>[0-9]+)');
    await owners.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await add('#1(?P<rest>[0-9])', 'https://first.example.com/{rest}');
    await dialog.waitFor({ state: 'detached' });
    await owners.getByLabel('Text to try').fill('see #12, please');
    const link = owners.getByRole('main').getByRole('link', { name: '#12' });
    const leadsTo = (href: string) => owners.locator(`main a[href="${href}"]`, { hasText: '#12' }).waitFor();
    await leadsTo('https://bugs.example.com/12');
    // The order counts, and the focus stays with the entry that moves.
    await owners.getByRole('button', { name: 'Move #1(?P<rest>[0-9]) up' }).focus();
    await owners.keyboard.press('Enter');
    await leadsTo('https://first.example.com/2');
    expect(await owners.evaluate(() => (globalThis as any).document.activeElement.title)).toBe(
      'Move #1(?P<rest>[0-9]) up',
    );
    const patterns = async () =>
      (await owner.ok('GET', '/realm/linkifiers')).linkifiers.map(({ pattern }: any) => pattern);
    await until(async () => (await patterns())[0] === '#1(?P<rest>[0-9])');
    expect(await patterns()).toEqual(['#1(?P<rest>[0-9])', '#(?P<id>[0-9]+)']);
    await owners.getByRole('button', { name: 'Change #1(?P<rest>[0-9])' }).click();
    await dialog.getByLabel('Address').fill('https://changed.example.com/{rest}');
    await owners.keyboard.press('Enter');
    await leadsTo('https://changed.example.com/2');
    for (const pattern of ['#1(?P<rest>[0-9])', '#(?P<id>[0-9]+)']) {
      await owners.getByRole('button', { name: `Remove ${pattern}` }).click();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await owners.getByRole('button', { name: `Remove ${pattern}` }).waitFor({ state: 'detached' });
    }
    await link.waitFor({ state: 'detached' });
    // Others see them, and cannot change them.
    await owner.ok('POST', '/realm/filters', { pattern: 'T(?P<n>[0-9]+)', url_template: 'https://t.example.com/{n}' });
    await go(page, '#organization/linkifiers', 'Organization');
    await page.getByText('T(?P<n>[0-9]+)').waitFor();
    expect(
      await page
        .getByRole('main')
        .getByRole('button', { name: /Change|Remove|Move|New linkifier/ })
        .count(),
    ).toBe(0);
  });

  test('an owner allows e-mail domains and adds code playgrounds', async () => {
    const { owner } = pages.server;
    await go(owners, '#organization/domains', 'Organization');
    await owners.getByLabel('Domain', { exact: true }).fill('kiln');
    await owners.keyboard.press('Enter');
    await owners.getByText('Domain must have at least one dot').waitFor();
    await owners.getByLabel('Domain', { exact: true }).fill('kiln.example');
    await owners.keyboard.press('Enter');
    await owners.getByLabel('Subdomains of kiln.example count as well').check();
    await owners.getByLabel('Restrict e-mail domains').check();
    const domains = () => owner.ok('GET', '/realm/domains');
    await until(async () => (await domains()).domains[0].allow_subdomains);
    await owners.getByText('Saved.').first().waitFor();
    const realm = () => owner.ok('POST', '/register', { fetch_event_types: ['realm'] });
    await until(async () => (await realm()).realm_emails_restricted_to_domains === true);
    await owners.getByRole('button', { name: 'Remove kiln.example' }).click();
    await owners.getByRole('dialog').getByText('is the last domain').waitFor();
    await owners.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await owners.getByText('No domain is allowed by name.').waitFor();
    await owners.getByLabel('Restrict e-mail domains').and(owners.locator(':not(:checked)')).waitFor();
    expect((await domains()).domains).toEqual([]);

    await go(owners, '#organization/playgrounds', 'Organization');
    await owners.getByRole('button', { name: 'New code playground' }).click();
    const dialog = owners.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Try it');
    await dialog.getByLabel('Language').fill('Python');
    await dialog.getByLabel('Address').fill('https://play.example.com/');
    await owners.keyboard.press('Enter');
    await dialog.getByRole('alert').filter({ hasText: 'Missing the required variable' }).waitFor();
    await dialog.getByLabel('Address').fill('https://play.example.com/?code={code}');
    await owners.keyboard.press('Enter');
    await owners.getByText('Python · https://play.example.com/?code={code}').waitFor();
    // Code of messages leads there.
    const code = 'print("a b & c", \'(é)\')';
    const block = `\`\`\`python\n${code}\n\`\`\`\n\n\`\`\`js\nlet x;\n\`\`\``;
    await owner.ok('POST', '/messages', { type: 'channel', to: 'general', topic: 'code', content: block });
    await go(page, '#narrow/channel/1-general/topic/code', 'general');
    const open = page.getByRole('article').getByRole('link', { name: 'Open in Try it' });
    const href = new URL((await open.getAttribute('href')) ?? '');
    expect([href.origin, href.searchParams.get('code'), await open.count()]).toEqual([
      'https://play.example.com',
      `${code}\n`,
      1,
    ]);
    await owners.getByRole('button', { name: 'Remove Try it' }).click();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await owners.getByText('There are no code playgrounds yet.').waitFor();
  });

  test('an owner asks for fields of profiles; people fill them in, and their cards and lists show them', async () => {
    const { owner } = pages.server;
    await go(owners, '#organization/fields', 'Organization');
    const dialog = owners.getByRole('dialog');
    const add = async (kind: string, name: string, fill: () => Promise<void> = () => Promise.resolve()) => {
      await owners.getByRole('button', { name: 'New field' }).click();
      await dialog.getByLabel('Kind').selectOption(kind);
      if (name !== '') await dialog.getByLabel('Name', { exact: true }).fill(name);
      await fill();
      await dialog.getByRole('button', { name: 'Add', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    await add('one of several options', 'Shift', async () => {
      await dialog.getByRole('textbox', { name: 'Option 1' }).fill('early');
      await dialog.getByRole('button', { name: 'Add an option' }).click();
      await dialog.getByRole('textbox', { name: 'Option 2' }).fill('late');
      await dialog.getByLabel('Show it in lists of people').check();
      for (const colorScheme of ['light', 'dark'] as const) {
        await owners.emulateMedia({ colorScheme });
        expect([colorScheme, await violationsIn(owners)]).toEqual([colorScheme, []]);
      }
      await owners.emulateMedia({ colorScheme: null });
    });
    await add('paragraph', 'About', () => dialog.getByLabel('Ask everybody to fill it in').check());
    await add('account on another website', '', async () => {
      await dialog.getByLabel('Website').selectOption('GitHub');
    });
    await add('account on another website', 'Forge', () =>
      dialog.getByLabel('Address').fill('https://forge.example.com/%(username)s'),
    );
    await add('date', 'Birthday');
    const up = owners.getByRole('button', { name: 'Move Birthday up' });
    const fields = async () => (await owner.ok('GET', '/realm/profile_fields')).custom_fields;
    await up.click();
    await owners.locator('li:nth-last-child(2)', { hasText: 'Birthday' }).waitFor();
    await until(async () => (await fields()).at(-2).name === 'Birthday');
    await owners.getByRole('button', { name: 'Change Shift' }).click();
    await dialog.getByRole('textbox', { name: 'Option 2' }).fill('night');
    await dialog.getByLabel('Hint').fill('When you are here');
    await owners.keyboard.press('Enter');
    await owners.getByText('in lists of people · When you are here').waitFor();

    await settings('profile');
    await page.getByLabel('Shift').selectOption('night');
    await page.getByText('The organization asks for it.').waitFor();
    const values = {
      About: '**kilns**, mostly',
      GitHub: 'ann',
      Forge: 'ann/archer',
      Birthday: '1990-02-28',
    };
    for (const [label, value] of Object.entries(values)) {
      await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' });
    }
    await go(owners, `#people/${ann.userId}`, 'Ann Archer');
    const fact = (name: string) => owners.getByRole('group', { name, exact: true });
    await fact('Shift').getByText('night').waitFor();
    await fact('About').locator('strong', { hasText: 'kilns' }).waitFor();
    await fact('Birthday').getByText('28 February 1990').waitFor();
    await fact('GitHub').locator('a[href="https://github.com/ann"]').waitFor();
    await fact('Forge').locator('a[href="https://forge.example.com/ann%2Farcher"]').waitFor();
    await fact('Mentor').getByRole('link', { name: 'Olive Owner' }).waitFor();
    await go(owners, '#people', 'People');
    await owners.locator('li', { hasText: 'Ann Archer' }).getByText('night').waitFor();

    await go(owners, '#organization/fields', 'Organization');
    // Who has chosen an option that is removed has not chosen the next one.
    await owners.getByRole('button', { name: 'Change Shift' }).click();
    await dialog.getByRole('button', { name: 'Remove Option 2' }).click();
    await dialog.getByRole('button', { name: 'Add an option' }).click();
    await dialog.getByRole('textbox', { name: 'Option 2' }).and(owners.locator(':focus')).fill('dusk');
    await owners.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const { field_data: shifts } = (await fields()).find(({ name }: any) => name === 'Shift');
    expect(JSON.parse(shifts)).toMatchObject({ 1: { text: 'early' }, 3: { text: 'dusk' } });
    expect(JSON.parse(shifts)).not.toHaveProperty('2');
    await owners.getByRole('button', { name: 'Remove Forge' }).click();
    await dialog.getByText('with what everybody has put into it').waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await owners.getByRole('button', { name: 'Remove Forge' }).waitFor({ state: 'detached' });
    expect((await fields()).map(({ name }: any) => name)).toEqual([
      'Station',
      'Mentor',
      'Shift',
      'About',
      'GitHub',
      'Birthday',
    ]);
  });

  test('people make bots; an owner sees all, hands them over, renews their keys and deactivates them', async () => {
    const { owner } = pages.server;
    await go(page, '#organization/bots', 'Organization');
    await page.getByText('There are no bots that you may change.').waitFor();
    await page.getByRole('button', { name: 'New bot' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Kind').selectOption('outgoing webhook, which calls a service');
    await form.getByLabel('Name', { exact: true }).fill('Kiln Bot');
    await form.getByLabel('Short name').fill('kiln');
    await form.getByLabel('Address of the service').fill('nowhere');
    await page.keyboard.press('Enter');
    await form.getByRole('alert').filter({ hasText: 'payload_url is not a URL' }).waitFor();
    await form.getByLabel('Address of the service').fill('http://127.0.0.1:9/hook');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'API key of Kiln Bot' }).click();
    const key = page.getByRole('listitem').filter({ hasText: 'Kiln Bot' }).locator('code');
    const before = (await key.textContent()) ?? '';
    expect(before).toMatch(/^\w{32}$/);

    await go(owners, '#organization/bots', 'Organization');
    await owners.getByText(/^outgoing webhook, which calls a service · kiln-bot@.* · of Ann Archer$/).waitFor();
    await owners.getByRole('button', { name: 'Change Kiln Bot' }).click();
    const dialog = owners.getByRole('dialog');
    expect(await violationsIn(owners)).toEqual([]);
    await dialog.getByLabel('Name', { exact: true }).fill('Oven Bot');
    await dialog.getByLabel('Address of the service').fill('http://127.0.0.1:9/oven');
    await dialog.getByLabel('Form of the calls').selectOption('as for Slack');
    await owners.keyboard.press('Enter');
    await owners.getByRole('button', { name: 'Change Oven Bot' }).waitFor();
    // Who shows the key sees the new one.
    await page.getByRole('button', { name: 'Make a new key for Oven Bot' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make a new key' }).click();
    await page.locator('code').filter({ hasNotText: before }).waitFor();
    const { realm_bots: bots } = await owner.ok('POST', '/register', { fetch_event_types: ['realm_bot'] });
    expect(bots).toMatchObject([
      { full_name: 'Oven Bot', services: [{ base_url: 'http://127.0.0.1:9/oven', interface: 2 }] },
    ]);
    await owners.getByRole('button', { name: 'Deactivate Oven Bot' }).click();
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await owners.getByRole('button', { name: 'Reactivate Oven Bot' }).click();
    await owners.getByRole('button', { name: 'Change Oven Bot' }).click();
    await dialog.getByLabel('Owner').selectOption('Olive Owner');
    await owners.keyboard.press('Enter');
    await owners.getByText(/ · of Olive Owner$/).waitFor();
    // What is not theirs any more, people do not see.
    await page.getByText('There are no bots that you may change.').waitFor();
  });

  test('a channel has subscribers, settings of the reader, and settings that not everybody may change', async () => {
    const { owner } = pages.server;
    const { stream_id: id } = await owner.ok('GET', '/get_stream_id', { stream: 'harbour' });
    await go(owners, '#narrow/channel/1-general/topic/anything', 'general');
    await owners
      .getByRole('heading', { level: 1 })
      .locator('xpath=..')
      .getByRole('link', { name: /people|person/ })
      .click();
    await owners.getByRole('heading', { level: 1, name: '#general' }).waitFor();
    await owners.evaluate((to) => ((globalThis as any).location.hash = to), `#browse/${id}`);
    await owners.getByRole('heading', { level: 1, name: '#harbour' }).waitFor();
    await owners.getByLabel('Subscribe somebody').fill('Ann Archer');
    await owners.keyboard.press('Enter');
    await owners.getByRole('button', { name: 'Unsubscribe Ann Archer' }).waitFor();
    await page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'harbour' }).waitFor();
    await page.evaluate((to) => ((globalThis as any).location.hash = to), `#browse/${id}/yours`);
    await page.getByLabel('Mute the channel').check();
    await page.locator('nav a[data-muted=true]', { hasText: 'harbour' }).waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    expect(await page.getByLabel('Who can read it').isDisabled()).toBe(true);
    await page.getByText('Only those who may change the channel can do this.').first().waitFor();
    await owners.getByRole('link', { name: 'Settings', exact: true }).click();
    await owners.getByLabel('Who can read it').selectOption('subscribers, from when they joined');
    await owners.getByText('Saved.').waitFor();
    await owners.getByRole('link', { name: 'Permissions', exact: true }).click();
    await owners.getByLabel('Who may send messages').selectOption('moderators');
    await owners.getByText('Saved.').waitFor();
    const { subscriptions } = await owner.ok('GET', '/users/me/subscriptions');
    expect(subscriptions.find(({ name }: any) => name === 'harbour')).toMatchObject({
      invite_only: true,
      history_public_to_subscribers: false,
    });
    await owners.getByRole('link', { name: 'Subscribers', exact: true }).click();
    await owners.getByRole('button', { name: 'Unsubscribe Ann Archer' }).click();
    await page.locator('nav a', { hasText: 'harbour' }).waitFor({ state: 'detached' });
  });

  test('the card of a person says who they are, and leads to a conversation', async () => {
    await pages.server.owner.ok('POST', '/messages', {
      type: 'channel',
      to: 'general',
      topic: 'cards',
      content: 'hello',
    });
    await go(page, '#narrow/channel/1-general/topic/cards', 'general');
    await page.getByRole('link', { name: 'Olive Owner' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Olive Owner' }).waitFor();
    await page.getByRole('group', { name: 'Role' }).getByText('owner').waitFor();
    await page.getByRole('button', { name: 'Mute' }).click();
    await page.getByRole('button', { name: 'Unmute' }).click();
    await page.getByRole('link', { name: 'Write to Olive Owner' }).click();
    await page.getByRole('textbox', { name: 'Message Olive Owner' }).waitFor();
  });

  test('axe finds nothing in views of people and channels', async () => {
    await expectAccessible(page, [
      ['#people', 'People'],
      [`#people/${ann.userId}`, 'Ann Archer'],
      ['#browse', 'Channels'],
      ['#browse/1', '#general'],
      ['#browse/1/yours', '#general'],
      ['#browse/1/settings', '#general'],
      ['#browse/1/permissions', '#general'],
    ]);
  });

  test('who signs in reads the name of the organization', async () => {
    await pages.server.owner.ok('PATCH', '/realm', { name: 'Kiln' });
    const stranger = await pages.open();
    await stranger.getByRole('dialog', { name: 'Sign in to Kiln' }).waitFor();
    expect(await violationsIn(stranger)).toEqual([]);
    await stranger.context().close();
  });

  test('axe finds nothing in administration', async () => {
    await expectAccessible(
      owners,
      SECTIONS.organization.map((hash) => [hash, 'Organization']),
    );
  });

  test('axe finds nothing in the settings', async () => {
    await expectAccessible(
      page,
      SECTIONS.settings.map((hash) => [hash, 'Settings']),
    );
  });
});
