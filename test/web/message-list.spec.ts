/** The message list alone in a Chromium: where it opens, that it stays, and how large the document gets. */
import type { Page } from 'playwright-core';
import { seeded, sized } from '#testing';
import { withBrowser } from '../support/chromium.js';
import { type ListPage, openListPages, settled } from './list-page.js';

/** Random changes to the rows and to the size of the list. */
const CHANGES = sized({ nightly: 200, usual: 80 });
let pages: ListPage;

/** Evaluates in the page, where `list` is the harness. */
const run = (page: Page, script: string): Promise<any> => page.evaluate(script);
const topOf = (page: Page, order: number): Promise<number> =>
  run(page, `document.querySelector('[data-order="${order}"]').getBoundingClientRect().top`);
const countOf = (page: Page): Promise<number> => run(page, `document.querySelectorAll('[role=article]').length`);

async function openAt(total: number, from: number, to: number, opening: object, loads = true): Promise<Page> {
  const page = await pages.open();
  await run(page, `list.state.loads = ${loads}; list.open(${total}, ${from}, ${to}, ${JSON.stringify(opening)})`);
  await page.waitForSelector('[role=article]');
  await settled(page);
  return page;
}

withBrowser('the message list, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await openListPages();
  });
  afterAll(() => pages.close());

  test('opens at its end, with a part of the rows', async () => {
    const page = await openAt(1000, 801, 1000, { at: 'end' });
    const box: number = await run(page, `document.querySelector('[data-order="1000"]').getBoundingClientRect().bottom`);
    expect(Math.abs(box - 600)).toBeLessThanOrEqual(1);
    expect(await countOf(page)).toBeLessThanOrEqual(200);
  });

  test('opens with the first unread row a third down, and a linked row in the middle', async () => {
    const third = await openAt(1000, 400, 600, { at: 'row', order: 500 });
    expect(Math.abs((await topOf(third, 500)) - 200)).toBeLessThanOrEqual(1);
    const middle = await openAt(1000, 400, 600, { at: 'row', order: 500, part: 0.5 });
    const height = await run(middle, `document.querySelector('[data-order="500"]').getBoundingClientRect().height`);
    expect(Math.abs((await topOf(middle, 500)) - (600 - height) / 2)).toBeLessThanOrEqual(1);
  });

  test('a linked row stays where it is while pictures above it, in view, load', async () => {
    const page = await openAt(1000, 400, 600, { at: 'row', order: 500, part: 0.5 });
    const before = await topOf(page, 500);
    await run(page, `list.change((rows) => rows.map((row) => row.order === 498 ? { ...row, px: 180 } : row))`);
    await settled(page);
    expect(Math.abs((await topOf(page, 500)) - before)).toBeLessThanOrEqual(1);
  });

  test('follows at the end only, and otherwise stays', async () => {
    const page = await openAt(1000, 900, 1000, { at: 'end' }, false);
    const append = async (order: number): Promise<void> => {
      await run(page, `list.change((rows) => [...rows, list.rowOf(${order})])`);
      await settled(page);
    };
    await append(1001);
    expect(await run(page, 'list.state.isAtEnd')).toBe(true);
    await page.mouse.move(250, 300);
    await page.mouse.wheel(0, -50);
    await page.waitForFunction('!list.state.isAtEnd');
    await settled(page);
    const before = await run(page, 'list.anchor()');
    await append(1002);
    expect(await run(page, 'list.anchor()')).toEqual(before);
    await run(page, 'list.toEnd()');
    await settled(page);
    expect(await run(page, 'list.state.isAtEnd')).toBe(true);
  });

  test(`nothing that ${CHANGES} changes do moves what is read by more than a pixel`, async () => {
    const page = await openAt(1000, 200, 800, { at: 'row', order: 500, part: 0 }, false);
    // The reader has scrolled: no row is pinned.
    await page.mouse.move(250, 300);
    await page.mouse.wheel(0, 7);
    await settled(page);
    const random = seeded(3);
    const among = (low: number, high: number): number => low + Math.floor(random() * (high - low));
    const start: { order: number; top: number } = await run(page, 'list.anchor()');
    let [above, below, drift] = [200, 800, 0];
    for (let round = 0; round < CHANGES; round++) {
      const order = among(start.order - 30, start.order + 40);
      const other = order === start.order ? order + 1 : order;
      const changes = [
        `list.change((rows) => [...Array.from({ length: 20 }, (_, i) => list.rowOf(${above} - 20 + i)), ...rows])`,
        `list.change((rows) => [...rows, ...Array.from({ length: 20 }, (_, i) => list.rowOf(${below} + 1 + i))])`,
        `list.change((rows) => rows.map((row) => row.order === ${other} ? { ...row, px: ${among(0, 300)} } : row))`,
        `list.change((rows) => rows.map((row) => row.order === ${other} ? { ...row, lines: ${among(1, 9)} } : row))`,
        `list.change((rows) => rows.filter((row) => row.order !== ${other}))`,
        `list.change((rows) => rows.some(({ order }) => order === ${other}) ? rows : [...rows, list.rowOf(${other})].sort((a, b) => a.order - b.order))`,
        `list.resize({ blockSize: '${among(300, 600)}px' })`,
        `list.resize({ inlineSize: '${among(300, 700)}px' })`,
      ];
      const kind = among(0, changes.length);
      await run(page, changes[kind] ?? '');
      if (kind === 0) above -= 20;
      if (kind === 1) below += 20;
      await run(page, 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      const now = await run(
        page,
        `({ top: document.querySelector('[data-order="${start.order}"]').getBoundingClientRect().top })`,
      );
      drift = Math.max(drift, Math.abs(now.top - start.top));
      if (drift > 1) throw new Error(`Round ${round}, ${changes[kind]}: the row moved by ${now.top - start.top} px.`);
    }
    await settled(page);
    expect(drift).toBeLessThanOrEqual(1);
    expect(await countOf(page)).toBeLessThanOrEqual(200);
  });

  test('100,000 messages: no turn of the wheel goes back, and the document stays small', async () => {
    const page = await openAt(100_000, 99_901, 100_000, { at: 'end' });
    await page.mouse.move(250, 300);
    let most = 0;
    const positions: number[] = [];
    // Where the reader is, whatever is in the document: the order of the anchor, and how much of it is above the edge.
    const where = async (): Promise<{ order: number; top: number }> => run(page, 'list.anchor()');
    let before = await where();
    for (let turn = 0; turn < 120; turn++) {
      await page.mouse.wheel(0, -300);
      await run(page, 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
      most = Math.max(most, await countOf(page));
      const now = await where();
      positions.push(now.order);
      expect(now.order < before.order || (now.order === before.order && now.top >= before.top)).toBe(true);
      before = now;
    }
    expect(most).toBeLessThanOrEqual(200);
    expect(positions.at(-1)).toBeLessThan(99_700);
  });

  test('a row counts as read once its end was in view for a while, in a window with the focus', async () => {
    const page = await openAt(1000, 900, 1000, { at: 'row', order: 950, part: 0 });
    await page.waitForFunction('list.state.seen.includes(950)');
    const seen: number[] = await run(page, 'list.state.seen');
    expect(seen.every((order) => order >= 950 && order < 970)).toBe(true);
  });

  test('one tab stop; arrows and letters go from row to row, and into view', async () => {
    const page = await openAt(1000, 801, 1000, { at: 'end' });
    await page.keyboard.press('Tab');
    const focused = (): Promise<number> => run(page, 'Number(document.activeElement.dataset.order)');
    expect(await focused()).toBe(1000);
    for (let count = 0; count < 15; count++) await page.keyboard.press(count % 2 === 0 ? 'k' : 'ArrowUp');
    expect(await focused()).toBe(985);
    expect(await topOf(page, 985)).toBeGreaterThanOrEqual(0);
    await page.keyboard.press('j');
    expect(await focused()).toBe(986);
    expect(await page.locator('[role=article][tabindex="0"]').count()).toBe(1);
  });
});
