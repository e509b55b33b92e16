/** The chat page across updates and starts of its server, in Chromium. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { freePort } from '#testing';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, startChatPages } from './chat-page.js';

let pages: ChatPages;
let page: Page;
let port: number;
const folder = mkdtempSync(join(tmpdir(), 'scrollback-web-'));

const composerOf = (tab: Page) => tab.getByRole('textbox', { name: /^Message / });
const go = (tab: Page, hash: string): Promise<unknown> =>
  tab.evaluate((to) => ((globalThis as any).location.hash = to), hash);
const TOPIC = '#narrow/channel/1-general/topic/news';

withBrowser('the chat page across updates, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    port = await freePort();
    pages = await startChatPages({ PORT: String(port) }, (built) => {
      cpSync(built, folder, { recursive: true });
      return folder;
    });
    page = await pages.signIn(await pages.server.user());
    await page.evaluate(() => (globalThis as any).navigator.serviceWorker.ready);
    await page.reload();
    await page.getByRole('navigation', { name: 'Places' }).waitFor();
  });
  afterAll(async () => {
    await pages.close();
    rmSync(folder, { recursive: true });
  });

  test('a page that is opened while the server starts says so, and goes on by itself', async () => {
    const fresh = await pages.open();
    await pages.server.restart(async () => {
      const starting = createServer((request, response) => {
        const isPage = request.headers.accept?.includes('text/html') === true;
        response.writeHead(503, { 'content-type': isPage ? 'text/html' : 'application/json', 'retry-after': '1' });
        response.end(isPage ? 'raw words of the server' : '{"result":"error","msg":"The server is starting."}');
      });
      await new Promise<void>((listening) => starting.listen(port, '127.0.0.1', listening));
      await page.reload();
      await page.getByText('This page could not be loaded: The server is busy.').waitFor();
      starting.closeAllConnections();
      await new Promise((closed) => starting.close(closed));
    });
    await page.getByRole('navigation', { name: 'Places' }).waitFor();
    await fresh.close();
  });

  test('a new version is offered in every tab; one that stays misses parts, says so, and loses nothing typed', async () => {
    const other = await page.context().newPage();
    await other.goto(pages.server.url);
    await go(other, TOPIC);
    await composerOf(other).fill('half a sentence');
    const worker = join(folder, 'sw.js');
    writeFileSync(worker, readFileSync(worker, 'utf8').replace(/__VERSION__="\w+"/, '__VERSION__="of-a-test"'));
    for (const ending of ['.br', '.gz']) rmSync(worker + ending, { force: true });
    await page.evaluate(async () => {
      const registration = await (globalThis as any).navigator.serviceWorker.getRegistration();
      await registration.update();
    });
    for (const tab of [page, other]) await tab.getByText('There is a new version of this page.').waitFor();
    // The files of the version before are gone from the server, and with the update from the browser.
    const parts = readdirSync(join(folder, 'app')).filter((name) => /^(recent|drafts-view)-/.test(name));
    expect(parts.length).toBeGreaterThan(0);
    for (const name of parts) rmSync(join(folder, 'app', name));
    await page.getByRole('button', { name: 'Reload to update' }).click();
    await page.getByRole('navigation', { name: 'Places' }).waitFor();
    await other.getByText('There is a new version of this page.').waitFor();
    await other.evaluate(async () => {
      const { caches } = globalThis as any;
      for (const name of await caches.keys()) await caches.delete(name);
    });
    const browser = await other.context().newCDPSession(other);
    await browser.send('Network.clearBrowserCache');
    await go(other, '#recent');
    await other.getByRole('alert').filter({ hasText: 'This part of the page could not be loaded.' }).waitFor();
    await go(other, TOPIC);
    expect(await composerOf(other).inputValue()).toBe('half a sentence');
    await go(other, '#recent');
    await other.getByRole('button', { name: 'Reload', exact: true }).click();
    await other.getByRole('navigation', { name: 'Places' }).waitFor();
    await go(other, TOPIC);
    expect(await composerOf(other).inputValue()).toBe('half a sentence');
  });
});
