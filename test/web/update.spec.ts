/** The chat page across updates and starts of its server, in Chromium. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { freePort, until } from '#testing';
import { withBrowser } from '../support/chromium.js';
import type { ApiClient } from '../support/client.js';
import { type ChatPages, startChatPages } from './chat-page.js';

let pages: ChatPages;
let page: Page;
let reader: ApiClient;
let port: number;
const folder = mkdtempSync(join(tmpdir(), 'scrollback-web-'));

const composerOf = (tab: Page) => tab.getByRole('textbox', { name: /^Message / });
const go = (tab: Page, hash: string): Promise<unknown> =>
  tab.evaluate((to) => ((globalThis as any).location.hash = to), hash);
const TOPIC = '#narrow/channel/1-general/topic/news';
const OUTAGE = '#narrow/channel/1-general/topic/outage';

/** What the pages have kept in the browser, with what the tab is keeping. */
const kept = (tab = page): Promise<readonly { readonly text: string; readonly pages: readonly string[] }[]> =>
  tab.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = (globalThis as any).indexedDB.open('scrollback', 1);
        opening.onupgradeneeded = () => opening.result.createObjectStore('states');
        opening.onsuccess = () => {
          const asked = opening.result.transaction('states').objectStore('states').getAll();
          asked.onsuccess = () => {
            opening.result.close();
            resolve(asked.result);
          };
        };
      }),
  );

withBrowser('the chat page across updates, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    port = await freePort();
    pages = await startChatPages({ PORT: String(port) }, (built) => {
      cpSync(built, folder, { recursive: true });
      return folder;
    });
    reader = await pages.server.user();
    page = await pages.signIn(reader);
    await page.evaluate(() => (globalThis as any).navigator.serviceWorker.ready);
    await page.reload();
    await page.getByRole('navigation', { name: 'Places' }).waitFor();
  });
  afterAll(async () => {
    await pages.close();
    rmSync(folder, { recursive: true });
  });

  test('a page that is opened without the server shows what it had, and goes on when the server is back', async () => {
    const { owner } = pages.server;
    const send = (content: string) =>
      owner.ok('POST', '/messages', { type: 'channel', to: 'general', topic: 'outage', content });
    const row = (text: string) => page.locator('[role=article]', { hasText: text });
    await send('from before');
    await go(page, OUTAGE);
    await row('from before').waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    await composerOf(page).fill('half a sentence');
    await page.getByText('draft saved').waitFor();
    await until(async () => (await kept()).some(({ pages: texts }) => texts.join().includes('from before')));
    await pages.server.restart(async () => {
      await page.reload();
      await row('from before').waitFor();
      await page.getByRole('status').filter({ hasText: 'No answer from the server.' }).waitFor();
      await page.getByText('You see what this browser has kept.').waitFor();
      expect(await composerOf(page).inputValue()).toBe('half a sentence');
      await composerOf(page).fill('written without the server');
      await composerOf(page).press('Enter');
      await row('written without the server').waitFor();
      await go(page, '#narrow/channel/1-general/topic/never.20seen');
      await page.getByText('This browser has kept no messages of this conversation.').waitFor();
      await go(page, OUTAGE);
      await page.reload();
      await row('written without the server').waitFor();
      await composerOf(page).fill('and a draft');
      await composerOf(page).evaluate((text: any) => text.setSelectionRange(2, 5));
    });
    await send('after the start');
    await row('after the start').waitFor();
    await row('written without the server').locator('.rendered').waitFor();
    const caret = await composerOf(page).evaluate((text: any) => [text.value, text.selectionStart, text.selectionEnd]);
    expect(caret).toEqual(['and a draft', 2, 5]);
    const narrow = [{ operator: 'topic', operand: 'outage' }];
    const { messages } = await owner.ok('GET', '/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow });
    const there: readonly string[] = messages.map(({ content }: any) => content.replaceAll(/<[^>]+>/g, ''));
    expect(there.toSorted()).toEqual(['after the start', 'from before', 'written without the server']);
    const shown = await page.locator('[role=article] .rendered').allTextContents();
    expect(shown.map((text) => text.trim())).toEqual(there);
    await composerOf(page).fill('');
  });

  test('a conversation that is read without the server is brought up to date where the reader is, and followed', async () => {
    const { owner } = pages.server;
    const row = (text: string) => page.locator('[role=article]', { hasText: text });
    const said: number[] = [];
    const send = async (content: string) => {
      const message = { type: 'channel', to: 'general', topic: 'long', content };
      const { id } = await owner.ok('POST', '/messages', message);
      said.push(id);
    };
    for (let number = 100; number < 160; number++) await send(`line ${number}`);
    await go(page, `#narrow/channel/1-general/topic/long/near/${said[30]}`);
    await row('line 130').waitFor();
    await page.getByText('live', { exact: true }).waitFor();
    await until(async () => (await kept()).some(({ pages: texts }) => texts.join().includes('line 130')));
    await pages.server.restart(async () => {
      await page.reload();
      await row('line 130').waitFor();
      await page.getByText('You see what this browser has kept.').waitFor();
      await row('line 130').focus();
      for (let press = 0; press < 25; press++) await page.keyboard.press('ArrowUp');
      await row('line 105').waitFor();
    });
    await owner.ok('PATCH', `/messages/${said[5]}`, { content: 'line 105 in other words' });
    for (let number = 160; number < 300; number++) await send(`line ${number}`);
    await row('line 105 in other words').waitFor();
    await page
      .getByRole('button', { name: /^Jump to the end|new/ })
      .first()
      .click();
    await row('line 299').waitFor();
    await send('line 300');
    await row('line 300').waitFor();
    await go(page, OUTAGE);
    await row('from before').waitFor();
    await until(async () => (await kept()).some(({ pages: texts }) => texts.join().includes('from before')));
  });

  test('messages of a channel that the reader has lost are not kept, by any tab', async () => {
    const { owner } = pages.server;
    const principals = [reader.email, owner.email];
    const channel = { subscriptions: [{ name: 'vault' }], invite_only: true, principals };
    await owner.ok('POST', '/users/me/subscriptions', channel);
    const { stream_id: vault } = await owner.ok('GET', '/get_stream_id', { stream: 'vault' });
    await owner.ok('POST', '/messages', { type: 'channel', to: 'vault', topic: 'gold', content: 'where it lies' });
    const other = await page.context().newPage();
    await other.goto(pages.server.url);
    for (const tab of [page, other]) {
      await go(tab, `#narrow/channel/${vault}-vault/topic/gold`);
      await tab.locator('[role=article]', { hasText: 'where it lies' }).waitFor();
      await go(tab, OUTAGE);
      await tab.locator('[role=article]', { hasText: 'from before' }).waitFor();
    }
    const hasSecret = async () => JSON.stringify(await kept()).includes('where it lies');
    await until(hasSecret);
    await owner.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['vault'], principals: [reader.email] });
    await until(async () => !(await hasSecret()));
    for (const tab of [page, other]) {
      await tab.getByRole('link', { name: 'vault' }).waitFor({ state: 'detached' });
      await tab.evaluate(() => dispatchEvent(new Event('pagehide')));
    }
    // What was being kept is there once another transaction is through.
    await kept();
    expect(await hasSecret()).toBe(false);
    await other.close();
    await until(async () => (await kept()).some(({ pages: texts }) => texts.join().includes('from before')));
  });

  test('what is kept goes with its session: without the server nobody sees it any more', async () => {
    const state = await page.context().cookies();
    expect(state.find(({ name }) => name === 'sessionmark')?.httpOnly).toBe(false);
    await until(async () => (await kept()).length === 1);
    expect(JSON.parse((await kept())[0]?.text ?? '')).not.toHaveProperty('realm_bots');
    const other = await page.context().newPage();
    await other.goto(`${pages.server.url}/${OUTAGE}`);
    await other.locator('[role=article]', { hasText: 'from before' }).waitFor();
    await other.getByText('live', { exact: true }).waitFor();
    // Before it has asked for the messages once more, it keeps none of them.
    await until(async () => {
      await other.evaluate(() => dispatchEvent(new Event('pagehide')));
      return (await kept(other)).some(({ pages: texts }) => texts.join().includes('from before'));
    });
    await pages.server.restart(async () => {
      // Another session, of whomever it is.
      await page.context().addCookies([{ name: 'sessionmark', value: 'sother', url: pages.server.url }]);
      await page.reload();
      await page.getByText(/^This page could not be loaded/).waitFor();
      expect(await page.getByText('from before').count()).toBe(0);
      await page.context().addCookies(state);
      await page.reload();
      await page.locator('[role=article]', { hasText: 'from before' }).waitFor();
      // Who signs out while the server cannot be reached leaves nothing behind.
      await page.getByRole('button', { name: /^Signed in as/ }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
      await page.getByText(/^This page could not be loaded/).waitFor();
      expect(await kept()).toEqual([]);
      // Nor does another tab keep it again.
      await go(other, '#narrow/channel/1-general/topic/seen.20by.20nobody');
      await other.getByText('This browser has kept no messages of this conversation.').waitFor();
      await other.evaluate(() => dispatchEvent(new Event('pagehide')));
      await other.close();
      expect(await kept()).toEqual([]);
    });
    await page.getByRole('navigation', { name: 'Places' }).waitFor();
  });

  test('a page that is opened while the server starts says so, and goes on by itself', async () => {
    const session = await page.context().cookies();
    // In another session nothing that was kept is shown.
    await page.context().addCookies([{ name: 'sessionmark', value: 'sother', url: pages.server.url }]);
    await pages.server.restart(async () => {
      const starting = createServer((request, response) => {
        const isPage = request.headers.accept?.includes('text/html') === true;
        response.writeHead(503, { 'content-type': isPage ? 'text/html' : 'application/json', 'retry-after': '1' });
        response.end(isPage ? 'raw words of the server' : '{"result":"error","msg":"The server is starting."}');
      });
      await new Promise<void>((listening) => starting.listen(port, '127.0.0.1', listening));
      await page.reload();
      await page.getByText('This page could not be loaded: The server is busy.').waitFor();
      await page.context().addCookies(session);
      starting.closeAllConnections();
      await new Promise((closed) => starting.close(closed));
    });
    await page.getByRole('navigation', { name: 'Places' }).waitFor();
  });

  test('a new version is offered in every tab; one that stays misses parts, says so, and loses nothing typed', async () => {
    const other = await page.context().newPage();
    // It learns that it is registered after the new version was found.
    await other.addInitScript(() => {
      const { prototype } = (globalThis as any).ServiceWorkerContainer;
      const { register } = prototype;
      prototype.register = async function (...values: unknown[]) {
        const registration = await register.apply(this, values);
        (globalThis as any).isRegistered = true;
        await new Promise((found) => registration.addEventListener('updatefound', found, { once: true }));
        return registration;
      };
    });
    await other.goto(pages.server.url);
    await go(other, TOPIC);
    await composerOf(other).fill('half a sentence');
    await other.waitForFunction('isRegistered');
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
