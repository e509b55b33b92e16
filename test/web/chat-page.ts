/** The chat page of a server of the tests, in Chromium. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { until } from '#testing';
import { organizationWords } from '../../web/shared/en-organization.js';
import type { ApiClient } from '../support/client.js';
import { launchChromium, openContext } from '../support/chromium.js';
import { startTestServer, type TestServer } from '../support/server.js';

const FOLDER = 'dist/web';

/** Addresses of all sections of the settings and of the administration. */
export const SECTIONS = {
  settings: Object.keys(organizationWords.sections).map((name) => `#settings/${name}`),
  organization: Object.keys(organizationWords.organizationSections).map((name) => `#organization/${name}`),
};

export interface ChatPages {
  readonly server: TestServer;
  readonly browser: Browser;
  /** What browsers complained of: errors, and what the content security policy refused. */
  readonly complaints: string[];
  /** A browser of its own, in which somebody signs in. Their password is that of `TestServer.user`. */
  signIn(user: ApiClient, options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  /** A browser of its own, before anybody signs in. */
  open(options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  close(): Promise<void>;
}

/**
 * Builds the page, unless it is there, and serves it.
 * @param folderOf names the folder that is served, from the one that was built
 */
export async function startChatPages(
  environment: Record<string, string> = {},
  folderOf: (built: string) => string = (built) => built,
): Promise<ChatPages> {
  execFileSync(process.execPath, ['tools/build-web.mjs'], { stdio: 'inherit' });
  const server = await startTestServer(environment, undefined, undefined, folderOf(FOLDER));
  const browser = await launchChromium();
  const complaints: string[] = [];
  const contexts: BrowserContext[] = [];
  const open: ChatPages['open'] = async (options = {}) => {
    const context = await openContext(browser, { locale: 'en-GB', timezoneId: 'UTC', ...options });
    contexts.push(context);
    const page = await context.newPage();
    notesRequests(page);
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('console', (message) => {
      // Refused calls are answers, which the page shows.
      if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
        complaints.push(message.text());
    });
    await page.goto(server.url);
    return page;
  };
  return {
    server,
    browser,
    complaints,
    open,
    async signIn(user, options) {
      await user.ok('PATCH', '/settings', { enter_sends: true });
      const page = await open(options);
      await page.getByLabel('E-mail address').fill(user.email);
      await page.getByLabel('Password').fill(passwordOf(server, user));
      await page.keyboard.press('Enter');
      await page.getByRole('navigation', { name: 'Places' }).waitFor({ state: 'attached' });
      return page;
    },
    async close() {
      await Promise.all(contexts.map((context) => context.close()));
      await browser.close();
      await server.stop();
    },
  };
}

const passwordOf = ({ owner }: TestServer, user: ApiClient): string =>
  user === owner ? 'correct horse' : `the password of ${user.fullName}`;

/** Requests that a page has not been answered yet, but for polls, which the server holds. */
const openRequests = new WeakMap<Page, Set<Request>>();

function notesRequests(page: Page): void {
  const open = new Set<Request>();
  openRequests.set(page, open);
  page.on('request', (request) => {
    if (!new URL(request.url()).pathname.endsWith('/events')) open.add(request);
  });
  const end = (request: Request): void => void open.delete(request);
  page.on('requestfinished', end).on('requestfailed', end);
}

/**
 * Goes to a view of a page of `startChatPages`, and waits until all of it is there: nothing is asked for any more, and the browser has
 * drawn what came.
 */
export async function settledAt(page: Page, hash: string): Promise<void> {
  await page.evaluate((to) => ((globalThis as any).location.hash = to), hash);
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await page.getByRole('status').filter({ hasText: 'Loading' }).waitFor({ state: 'detached' });
  const isAnswered = (): boolean => (openRequests.get(page)?.size ?? 0) === 0;
  // What came may be drawn in several steps, and ask for more.
  await until(async () => isAnswered() && (await isAtRest(page)) && isAnswered());
}

/** Whether the view stays as it is while the browser draws a few times. */
const isAtRest = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const { document, requestAnimationFrame } = globalThis as any;
    const before = document.querySelector('main').innerHTML;
    for (let frames = 0; frames < 3; frames++) await new Promise((drawn) => requestAnimationFrame(drawn));
    return before === document.querySelector('main').innerHTML;
  });

/** Waits until a page has kept what it knows, for its next start. */
export async function keptIn(page: Page): Promise<void> {
  await page.getByText('live', { exact: true }).waitFor();
  await page.evaluate(async () => {
    const { indexedDB, dispatchEvent, Event } = globalThis as any;
    dispatchEvent(new Event('pagehide'));
    for (;;) {
      const count = await new Promise((resolve, reject) => {
        const opening = indexedDB.open('scrollback', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('states');
        opening.onerror = reject;
        opening.onsuccess = () => {
          const asked = opening.result.transaction('states').objectStore('states').count();
          asked.onsuccess = () => {
            opening.result.close();
            resolve(asked.result);
          };
        };
      });
      if (count === 1) return;
    }
  });
}

const AXE = readFileSync(createRequire(__filename).resolve('axe-core/axe.min.js'), 'utf8');

/** Colours alone differ between the themes. */
export const OF_COLOURS: readonly string[] = ['color-contrast'];

/**
 * What axe finds wrong with what a page shows now: rule, and the beginning of the element.
 * @param rules those that are asked; all by default
 */
export async function violationsIn(page: Page, rules?: readonly string[]): Promise<string[]> {
  // It stays until the page is loaded anew, and is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async (runOnly) => {
    // Of what is not wrong, axe describes one element a rule, and not all.
    const options = { resultTypes: ['violations'], ...(runOnly !== undefined && { runOnly }) };
    const { violations } = await (globalThis as any).axe.run(options);
    return violations.flatMap(({ id, nodes }: any) => nodes.map(({ html }: any) => `${id}: ${html.slice(0, 200)}`));
  }, rules);
}
