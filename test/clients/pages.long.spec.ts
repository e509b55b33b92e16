/** The pages of invited people in a Chromium, by keyboard and without scripts. */
import type { Browser, Page } from 'playwright-core';
import { launchChromium, openContext, withBrowser } from '../support/chromium.js';
import { lettersTo } from '../support/letters.js';
import { startTestServer, type TestServer } from '../support/server.js';

let server: TestServer;
let browser: Browser;
/** What the browser complained about. */
let complaints: string[];

async function open(url: string): Promise<Page> {
  complaints = [];
  const page = await (await openContext(browser, { javaScriptEnabled: false })).newPage();
  page.on('console', (message) => complaints.push(message.text()));
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText ?? ''}`));
  await page.goto(url);
  return page;
}

/** Types into the fields from the focused one on, and sends the form. */
async function fillIn(page: Page, ...values: readonly string[]): Promise<void> {
  await focused(page);
  for (const [index, value] of values.entries()) {
    if (index > 0) await page.keyboard.press('Tab');
    await page.keyboard.type(value);
  }
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
}

/** ID of the field with the focus, once there is one. */
const focused = (page: Page): Promise<string | null> => page.locator('input:focus').getAttribute('id');

const treeOf = (page: Page): Promise<string> => page.locator('body').ariaSnapshot();

/** Contrast of the text of each element with what is behind it. Runs in the browser. */
function contrastsOf(elements: readonly unknown[]): number[] {
  const { document, getComputedStyle } = globalThis as any;
  const numbersIn = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string): number => {
    const [red = 0, green = 0, blue = 0] = numbersIn(color).map((one) => {
      const share = one / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const canvas = document.createElement('div');
  canvas.style.backgroundColor = 'Canvas';
  document.body.append(canvas);
  const behind = (element: any): string => {
    for (let one = element; one !== null; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one);
      if (numbersIn(backgroundColor)[3] !== 0) return backgroundColor;
    }
    return getComputedStyle(canvas).backgroundColor;
  };
  return elements.map((element) => {
    const [dark = 0, light = 0] = [luminance(getComputedStyle(element).color), luminance(behind(element))].sort(
      (a, b) => a - b,
    );
    return (light + 0.05) / (dark + 0.05);
  });
}

withBrowser('in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    server = await startTestServer();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser.close();
    await server.stop();
  });

  test('an invited person joins, after a mistake', async () => {
    await server.owner.ok('POST', '/invites', { invitee_emails: 'nell@example.test', stream_ids: [] });
    const [{ link }] = await lettersTo(server, 'nell@example.test');
    const page = await open(link);
    expect(await page.title()).toBe('Create your account');
    expect(await page.locator('html').getAttribute('lang')).toBe('en');
    expect(await treeOf(page)).toBe(
      [
        '- main:',
        '  - heading "Create your account" [level=1]',
        '  - paragraph: You have been invited to join Scrollback. Fill in all fields to make your account.',
        '  - text: E-mail address',
        '  - textbox "E-mail address": nell@example.test',
        '  - text: Full name',
        '  - paragraph: Others see and mention you by it.',
        '  - textbox "Full name"',
        '  - text: Password',
        '  - paragraph: At least 6 characters. Neither a common word, nor your name or address.',
        '  - textbox "Password"',
        '  - button "Create account"',
      ].join('\n'),
    );
    expect(await focused(page)).toBe('full_name');
    await fillIn(page, 'Nell Newcomer', 'password');
    const refused = await treeOf(page);
    expect(refused).toContain('- alert: New password is too weak!');
    expect(refused).toMatch(/textbox "Full name": Nell Newcomer/);
    expect(await focused(page)).toBe('password');
    const password = page.getByLabel('Password');
    expect(await password.getAttribute('aria-invalid')).toBe('true');
    const described = (await password.getAttribute('aria-describedby')) ?? '';
    for (const id of described.split(' ')) expect(await page.locator(`#${id}`).count()).toBe(1);
    await fillIn(page, 'a good long password');
    // The chat, or how to get there where its page was not built.
    expect(page.url()).toBe(`${server.url}/`);
    expect(await treeOf(page)).toContain('This is Scrollback, a team-chat server.');
    const login = { username: 'nell@example.test', password: 'a good long password' };
    await server.owner.ok('POST', '/fetch_api_key', login);
    await page.goto(link);
    expect(await treeOf(page)).toMatch(/- alert: This link is not valid/);
    expect(complaints.filter((text) => !text.includes('404') && !text.includes('400'))).toEqual([]);
  });

  test.each(['light', 'dark'] as const)('all text stands out in the %s scheme', async (colorScheme) => {
    const page = await (await openContext(browser, { colorScheme })).newPage();
    const { invite_link } = await server.owner.ok('POST', '/invites/multiuse');
    await page.goto(invite_link);
    const ratios = await page.locator('h1, p, label, input:not([type=hidden]), button').evaluateAll(contrastsOf);
    expect(ratios.length).toBeGreaterThan(8);
    // WCAG 2.2, success criterion 1.4.3.
    for (const ratio of ratios) expect(ratio).toBeGreaterThanOrEqual(4.5);
  });

  test('a password is reset, and the page fits a narrow screen', async () => {
    const page = await open(`${server.url}/accounts/password/reset/`);
    await page.setViewportSize({ width: 320, height: 480 });
    await fillIn(page, server.owner.email);
    expect(await treeOf(page)).toContain('heading "Check your mail" [level=1]');
    const [{ link }] = await lettersTo(server, server.owner.email);
    await page.goto(link);
    const widths = await Promise.all(
      [page.locator('main'), page.locator('input#new_password1')].map((one) => one.boundingBox()),
    );
    for (const box of widths) expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(320);
    await fillIn(page, 'another good one', 'another good one');
    expect(page.url()).toBe(`${server.url}/accounts/password/done/`);
    const login = { username: server.owner.email, password: 'another good one' };
    expect((await server.owner.call('POST', '/fetch_api_key', login)).status).toBe(200);
    expect(complaints).toEqual([]);
  });
});
