/** What the chat page holds in memory does not grow with the views that are visited. In Chromium. */
import { until } from '#testing';
import type { CDPSession, Page } from 'playwright-core';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, SECTIONS, settledAt, startChatPages } from './chat-page.js';

const VIEWS = [
  '#inbox',
  '#recent',
  '#drafts',
  '#browse',
  '#browse/1',
  '#people',
  '#narrow',
  '#narrow/is/starred',
  '#narrow/channel/1-general',
  '#narrow/channel/1-general/topic/plans',
  '#narrow/search/plan',
  ...SECTIONS.settings.slice(0, 2),
  ...SECTIONS.organization.slice(0, 2),
];
/** Caches are full, and parts that load when they are opened are there. */
const WARM_ROUNDS = 2;
const MORE_ROUNDS = 4;
/** What hangs on a poll that comes or goes meanwhile; a view that is held has hundreds of objects in each round. */
const SPARE_OBJECTS = 150;

interface Held {
  readonly nodes: number;
  readonly listeners: number;
  readonly objects: number;
}

let pages: ChatPages;
let page: Page;
let session: CDPSession;

async function held(): Promise<Held> {
  // What a collection lets go of may hold more, as finalizers and detached trees do.
  for (let n = 0; n < 3; n++) await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const valueOf = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? NaN;
  const { result } = await session.send('Runtime.evaluate', { expression: 'Object.prototype', objectGroup: 'held' });
  const { objects } = await session.send('Runtime.queryObjects', {
    prototypeObjectId: result.objectId ?? '',
    objectGroup: 'held',
  });
  const { result: length } = await session.send('Runtime.callFunctionOn', {
    objectId: objects.objectId ?? '',
    functionDeclaration: 'function () { return this.length; }',
  });
  // Otherwise the list itself holds all of them.
  await session.send('Runtime.releaseObjectGroup', { objectGroup: 'held' });
  return { nodes: valueOf('Nodes'), listeners: valueOf('JSEventListeners'), objects: length.value as number };
}

/** What is held once nothing is under way any more. */
async function settledHeld(): Promise<Held> {
  let last = await held();
  await until(async () => {
    const before = last;
    last = await held();
    return last.nodes === before.nodes && last.listeners === before.listeners;
  });
  return last;
}

async function visitAll(): Promise<void> {
  for (const hash of VIEWS) await settledAt(page, hash);
  await settledAt(page, '#narrow/channel/1-general/topic/plans');
  await page.getByRole('slider').waitFor();
  await page.getByRole('button', { name: 'Insert an emoji' }).click();
  await page.getByRole('dialog').getByRole('heading', { name: 'Flags' }).waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await settledAt(page, '#inbox');
}

withBrowser('what the chat page holds, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    const ann = await pages.server.user();
    for (const content of ['A plan for **everybody**', '/poll Where to?\nSea\nHills', '`code` and :tada:'])
      await pages.server.owner.ok('POST', '/messages', { type: 'channel', to: 'general', topic: 'plans', content });
    await ann.ok('POST', '/mark_all_as_read');
    page = await pages.signIn(ann);
    session = await page.context().newCDPSession(page);
    await session.send('Performance.enable');
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('no more nodes, listeners and objects after six rounds through the views than after two', async () => {
    for (let round = 0; round < WARM_ROUNDS; round++) await visitAll();
    const before = await settledHeld();
    for (let round = 0; round < MORE_ROUNDS; round++) await visitAll();
    // A request or a picture that is under way has some of its own; what is kept for ever does not go.
    let after = await held();
    await until(async () => {
      after = await held();
      return after.nodes <= before.nodes && after.listeners <= before.listeners;
    }).catch(() => undefined);
    expect(after.nodes).toBeLessThanOrEqual(before.nodes);
    expect(after.listeners).toBeLessThanOrEqual(before.listeners);
    expect(after.objects - before.objects).toBeLessThan(SPARE_OBJECTS);
  });
});
