/** Where things stand in the chat page: nothing lies over what is read. */
import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, startChatPages } from './chat-page.js';

let pages: ChatPages;
let ann: ApiClient;
let page: Page;

const PHONE = { width: 390, height: 720 };
const LAPTOP = { width: 1280, height: 720 };
const row = (text: string) => page.locator('[role=article]', { hasText: text });
const topicHash = (topic: string): string => `#narrow/channel/1-general/topic/${topic.replaceAll(' ', '.20')}`;
interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}
async function boxOf(one: Locator): Promise<Box> {
  const { x, y, width, height } = (await one.boundingBox())!;
  return { top: y, bottom: y + height, left: x, right: x + width };
}
/** What is measured one after the other, twice the same: so it stood at one moment. */
async function atOneMoment<Measured>(measure: () => Promise<Measured>): Promise<Measured> {
  let measured = await measure();
  await until(async () => {
    const before = measured;
    measured = await measure();
    return isDeepStrictEqual(measured, before);
  });
  return measured;
}
const boxesOf = <Ones extends readonly Locator[]>(...ones: Ones): Promise<{ [At in keyof Ones]: Box }> =>
  atOneMoment(() => Promise.all(ones.map(boxOf))) as Promise<{ [At in keyof Ones]: Box }>;

withBrowser('the layout of the chat page, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    pages = await startChatPages();
    ann = await pages.server.user();
    const say = (content: string): Promise<{ id: number }> =>
      ann.ok('POST', '/messages', { type: 'channel', to: 'general', topic: 'layout', content });
    await pages.server.owner.ok('POST', '/messages', {
      ...{ type: 'channel', to: 'general', topic: 'layout' },
      content: 'the first of all',
    });
    const { id } = await say('at most one event');
    for (const count of ['two', 'three'])
      await ann.ok('PATCH', `/messages/${id}`, { content: `at most ${count} events` });
    await say(Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n\n'));
    page = await pages.signIn(ann);
    await page.evaluate(() => ((globalThis as any).location.hash = '#narrow/channel/1-general/topic/layout'));
    await row('line 59').waitFor();
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('on a phone, the buttons of a row leave its name, time and changes to be seen', async () => {
    await page.setViewportSize(PHONE);
    const edited = row('at most three events');
    await edited.scrollIntoViewIfNeeded();
    await edited.locator('.rendered').hover();
    const [star, time, changes] = await boxesOf(
      edited.getByRole('button', { name: 'Star' }),
      edited.locator('time'),
      edited.getByRole('button', { name: /^edited/ }),
    );
    expect(star.bottom).toBeLessThanOrEqual(time.top);
    expect(star.bottom).toBeLessThanOrEqual(changes.top);
  });

  test('the buttons of a long message stand at the top of what is seen of it, and take no place', async () => {
    await page.setViewportSize(LAPTOP);
    const long = row('line 59');
    const star = long.getByRole('button', { name: 'Star' });
    await long.getByText('line 59', { exact: true }).hover();
    const [feed, message, { top, bottom }] = await boxesOf(page.getByRole('feed').locator('..'), long, star);
    expect(message.top).toBeLessThan(feed.top);
    expect(top).toBeGreaterThanOrEqual(feed.top);
    expect(bottom).toBeLessThan(feed.top + 60);
    await star.click();
    await long.getByRole('button', { name: 'Remove the star' }).waitFor();
    const short = row('the first of all');
    const before = await boxesOf(short);
    await short
      .getByRole('button', { name: 'Star' })
      .locator('..')
      .evaluate((one: any) => one.remove());
    expect(await boxesOf(short)).toEqual(before);
  });

  test('on a phone, a version is told between the buttons to the others', async () => {
    await page.setViewportSize(PHONE);
    const edited = row('at most three events');
    await edited.getByRole('button', { name: /^edited/ }).press('Enter');
    const history = page.getByRole('region', { name: 'History of this message' });
    const [told, left, right] = await boxesOf(
      history.getByRole('status'),
      history.getByRole('button').first(),
      history.getByRole('button').nth(1),
    );
    expect(left.top).toBe(right.top);
    expect(left.right).toBeLessThanOrEqual(told.left);
    expect(right.left).toBeGreaterThanOrEqual(told.right);
  });

  test('what stands below the messages ends where they do, beside a scrollbar as well', async () => {
    // A browser that is driven hides its scrollbars: a border takes the same place.
    await page
      .getByRole('feed')
      .locator('..')
      .evaluate((one: any) => (one.style.borderInlineEnd = '15px solid'));
    for (const size of [LAPTOP, { width: 800, height: 720 }, PHONE]) {
      await page.setViewportSize(size);
      const below = page.getByRole('textbox', { name: /^Message / }).locator('xpath=../..');
      const messages = page.getByRole('feed').getByRole('separator').first();
      const text = row('line 59').locator('.rendered');
      await until(async () => {
        const [said, listed] = await boxesOf(below, messages);
        return said.left === listed.left && said.right === listed.right;
      });
      const [day, begin] = await boxesOf(messages, text);
      const padding = await messages.evaluate((one: any) => parseFloat(getComputedStyle(one).paddingInlineStart));
      // Behind the picture of who wrote it.
      expect(begin.left).toBe(day.left + padding + 44);
    }
  });

  test.each([PHONE, LAPTOP])('a star stands beside the text, which does not move ($width)', async (size) => {
    await page.setViewportSize(size);
    const { owner } = pages.server;
    const channel = { type: 'channel', to: 'general', topic: `stars at ${size.width}` };
    for (const content of ['begins', 'goes on', 'ends']) await owner.ok('POST', '/messages', { ...channel, content });
    await page.evaluate((to) => ((globalThis as any).location.hash = to), topicHash(channel.topic));
    await row('ends').waitFor();
    const places = (): Promise<unknown[]> =>
      boxesOf(...['begins', 'goes on', 'ends'].map((text) => row(text).locator('.rendered')));
    const before = await places();
    for (const text of ['begins', 'goes on', 'ends']) {
      await row(text).focus();
      await page.keyboard.press('*');
      const [star, said] = await boxesOf(row(text).getByText('★'), row(text).locator('.rendered'));
      expect(star.right).toBeLessThanOrEqual(said.left);
      expect(await places()).toEqual(before);
    }
  });

  test('with forced colours, a mention is marked by a line, and begins where other messages do', async () => {
    const channel = { type: 'channel', to: 'general', topic: 'marked' };
    for (const content of ['to nobody', `to @**${ann.fullName}**`])
      await pages.server.owner.ok('POST', '/messages', { ...channel, content });
    await page.emulateMedia({ forcedColors: 'active' });
    await page.evaluate((to) => ((globalThis as any).location.hash = to), topicHash(channel.topic));
    const [marked, plain] = await boxesOf(
      row(ann.fullName).locator('.rendered'),
      row('to nobody').locator('.rendered'),
    );
    expect(marked.left).toBe(plain.left);
    const line = await row(ann.fullName)
      .locator('> :last-child')
      .evaluate((one: any) => getComputedStyle(one, '::before').borderInlineStart);
    expect(line).toMatch(/^3px solid/);
    await page.emulateMedia({ forcedColors: 'none' });
  });

  test('messages that are loaded are not told as arrived: those are that come meanwhile', async () => {
    const { owner } = pages.server;
    const send = (content: string): Promise<{ readonly id: number }> =>
      owner.ok('POST', '/messages', { type: 'channel', to: 'general', topic: 'many', content });
    const { id } = await send('the first');
    for (let sent = 0; sent < 250; sent += 50)
      await Promise.all(Array.from({ length: 50 }, (_, index) => send(`number ${sent + index}`)));
    await send('the last');
    const hers = await pages.signIn(ann);
    const texts = await hers.evaluateHandle(() => {
      const { document, MutationObserver } = globalThis as any;
      const region = document.querySelector('[aria-live].aloud');
      const seen: string[] = [];
      const observer = new MutationObserver(() => seen.push(region.textContent));
      observer.observe(region, { childList: true, characterData: true, subtree: true });
      return seen;
    });
    await hers.evaluate((to) => ((globalThis as any).location.hash = to), `${topicHash('many')}/near/${id}`);
    await hers.locator('[role=article]', { hasText: 'the first' }).waitFor();
    await hers.getByRole('button', { name: /newest message|new/ }).click();
    await hers.locator('[role=article]', { hasText: 'the last' }).waitFor();
    await send('meanwhile');
    await hers.locator('[aria-live]').filter({ hasText: 'Olive Owner' }).waitFor({ state: 'attached' });
    expect(await texts.jsonValue()).toEqual(['1 new from Olive Owner']);
    await hers.context().close();
  });

  test('on a phone, what one has done is told above the composer, for as long as the view stays', async () => {
    const hers = await pages.signIn(ann, { permissions: ['clipboard-read', 'clipboard-write'] });
    await hers.setViewportSize(PHONE);
    await hers.evaluate((to) => ((globalThis as any).location.hash = to), topicHash('layout'));
    const last = hers.locator('[role=article]', { hasText: 'line 59' });
    await last.waitFor();
    // From here on, its time goes on only when it is told to.
    await hers.clock.install();
    await hers.clock.pauseAt(Date.now() + 60_000);
    const notice = hers.getByRole('main').getByText('Link copied.');
    const copyLink = async (): Promise<void> => {
      await last.focus();
      await hers.keyboard.press('Enter');
      await hers.getByRole('menuitem', { name: 'Copy link' }).click();
      await notice.waitFor();
    };
    await copyLink();
    const composer = hers.getByRole('textbox', { name: /^Message / }).locator('..');
    const [above, below] = await boxesOf(notice, composer);
    expect(above.bottom).toBeLessThanOrEqual(below.top);
    await pages.server.owner.ok('POST', '/messages', {
      ...{ type: 'channel', to: 'general', topic: 'layout' },
      content: 'said meanwhile',
    });
    await until(async () => {
      await hers.clock.runFor(100);
      return (await hers.locator('[role=article]', { hasText: 'said meanwhile' }).count()) > 0;
    });
    await copyLink();
    // The arrival is spoken within three seconds.
    await hers.clock.runFor(3_500);
    await hers.locator('[aria-live]').filter({ hasText: 'Olive Owner' }).waitFor({ state: 'attached' });
    expect(await notice.count()).toBe(1);
    await hers.clock.runFor(2_000);
    await notice.waitFor({ state: 'detached' });
    await copyLink();
    await hers.getByRole('link', { name: 'Mentions' }).first().click();
    await hers.getByRole('heading', { level: 1 }).filter({ hasText: 'Mentions' }).waitFor();
    await notice.waitFor({ state: 'detached' });
  });

  test('long names leave the composer one line, and the list of places shows where one is', async () => {
    const names = ['w', ...Array.from({ length: 40 }, (_, index) => `a${index}`)].map((name) => name.padEnd(58, 'W'));
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: names.map((name) => ({ name })) });
    const [last = ''] = names;
    const { stream_id: id } = await ann.ok('GET', '/get_stream_id', { stream: last });
    await page.setViewportSize(LAPTOP);
    const places = page.getByRole('navigation', { name: 'Places' });
    const link = places.getByRole('link', { name: last });
    await link.waitFor();
    const [list, before] = await boxesOf(places, link);
    expect(before.top).toBeGreaterThan(list.bottom);
    await page.evaluate((to) => ((globalThis as any).location.hash = to), `#narrow/channel/${id}`);
    await until(async () => (await boxOf(link)).bottom <= list.bottom);
    const to = `#narrow/channel/${id}/topic/${'w'.repeat(58)}`;
    await page.evaluate((hash) => ((globalThis as any).location.hash = hash), to);
    for (const size of [LAPTOP, PHONE]) {
      await page.setViewportSize(size);
      const [between, { top, bottom }] = await boxesOf(
        page.getByRole('heading', { level: 1 }).getByText('›', { exact: true }),
        page.getByRole('textbox', { name: /^Message / }),
      );
      expect(between.right - between.left).toBeGreaterThan(4);
      expect(bottom - top).toBeLessThan(60);
    }
  });

  test('names that are written from the right stay in their order, and are cut at their end', async () => {
    const [channel, topic] = ['ערוץ', 'נושא '.padEnd(58, 'ארוך ').trim()];
    await ann.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name: channel }] });
    await ann.ok('POST', '/messages', { type: 'channel', to: channel, topic, content: 'something' });
    const { stream_id: id } = await ann.ok('GET', '/get_stream_id', { stream: channel });
    await page.setViewportSize(LAPTOP);
    const go = (hash: string): Promise<unknown> =>
      page.evaluate((to) => ((globalThis as any).location.hash = to), hash);
    /** The place of a word in a text. */
    const placeOf = (one: Locator, word: string): Promise<{ left: number; right: number }> =>
      one.evaluate((element: any, sought) => {
        const range = (globalThis as any).document.createRange();
        const at = element.firstChild.data.indexOf(sought);
        range.setStart(element.firstChild, at);
        range.setEnd(element.firstChild, Number(at) + sought.length);
        const { left, right } = range.getBoundingClientRect();
        return { left, right };
      }, word);
    const named = page.getByRole('main').getByRole('link', { name: channel });
    for (const dir of ['ltr', 'rtl']) {
      await page.evaluate((to) => ((globalThis as any).document.documentElement.dir = to), dir);
      await go('#recent');
      const [first, second] = await atOneMoment(async () => [
        await placeOf(named, channel),
        await placeOf(named, 'נושא'),
      ]);
      if (dir === 'ltr') expect(first.right).toBeLessThan(second.left);
      else expect(second.right).toBeLessThan(first.left);
      await go(`#narrow/channel/${id}`);
      const listed = page.getByRole('navigation', { name: 'Places' }).getByText(topic);
      const [box, begin] = await atOneMoment(async () => [await boxOf(listed), await placeOf(listed, 'נושא')]);
      expect(begin.left).toBeGreaterThanOrEqual(box.left);
      expect(begin.right).toBeLessThanOrEqual(box.right);
      expect(await listed.evaluate((one: any) => one.scrollWidth > one.clientWidth)).toBe(true);
    }
    await page.evaluate(() => ((globalThis as any).document.documentElement.dir = 'ltr'));
  });

  test('on a touch screen, the buttons of the row that was tapped can be tapped', async () => {
    const hers = await pages.signIn(ann, { hasTouch: true, isMobile: true, viewport: LAPTOP });
    await hers.setViewportSize(PHONE);
    await hers.evaluate((to) => ((globalThis as any).location.hash = to), topicHash('layout'));
    const tapped = hers.locator('[role=article]', { hasText: 'the first of all' });
    await tapped.getByText('the first of all').tap();
    await tapped.getByRole('button', { name: 'Star' }).tap();
    await tapped.getByText('★').waitFor();
    await tapped.getByRole('button', { name: 'More' }).tap();
    await hers.getByRole('menuitem', { name: 'Move…' }).tap();
    await hers.getByRole('dialog', { name: 'Move messages' }).waitFor();
  });

  test('but on a phone, the buttons of a row cover no line', async () => {
    const { owner } = pages.server;
    const channel = { type: 'channel', to: 'general', topic: 'long lines' };
    for (const content of ['above '.repeat(60), 'below '.repeat(60)])
      await owner.ok('POST', '/messages', { ...channel, content });
    await page.evaluate((to) => ((globalThis as any).location.hash = to), topicHash(channel.topic));
    for (const width of [720, 999, 1000, 1280, 2560]) {
      await page.setViewportSize({ width, height: 720 });
      for (const text of ['above above', 'below below']) {
        await row(text).locator('.rendered').hover();
        const [buttons, said, all] = await boxesOf(
          row(text).getByRole('button', { name: 'Star' }).locator('..'),
          row(text).locator('.rendered'),
          row(text).locator('> :last-child'),
        );
        expect(buttons.left).toBeGreaterThanOrEqual(said.right);
        expect(buttons.right).toBeLessThanOrEqual(all.right);
      }
    }
  });

  test('on a phone, they are shown to a mouse, and not to the keys, which do the same', async () => {
    await page.setViewportSize(PHONE);
    const short = row('the first of all');
    await page.evaluate((to) => ((globalThis as any).location.hash = to), topicHash('layout'));
    await short.focus();
    await page.mouse.move(0, 0);
    const shown = (): Promise<string> =>
      short
        .getByRole('button', { name: 'Star' })
        .locator('..')
        .evaluate((one: any) => getComputedStyle(one).opacity);
    expect(await shown()).toBe('0');
    await page.setViewportSize(LAPTOP);
    expect(await shown()).toBe('1');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Copy link' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'hidden' });
  });

  test('names stand beside what is said of them, and are whole', async () => {
    const timestamp = Math.floor(Date.now() / 1000);
    const begun = { type: 'stream', to: [1], topic: 'begun', content: 'short', timestamp };
    await ann.ok('POST', '/drafts', { drafts: [begun] });
    const long = 'a topic as long as a topic may be, or nearly: 58 letters';
    for (const topic of ['later', long]) {
      const later = { topic, content: 'a long text '.repeat(40), scheduled_delivery_timestamp: timestamp + 86_400 };
      await ann.ok('POST', '/scheduled_messages', { type: 'channel', to: 1, ...later });
    }
    await pages.server.owner.ok('POST', '/users/me/subscriptions', {
      subscriptions: [{ name: 'a channel of many words', description: 'about '.repeat(100) }],
    });
    const main = page.getByRole('main');
    for (const [size, hash, name] of [
      [LAPTOP, '#drafts', '#general › begun'],
      [LAPTOP, '#drafts', '#general › later'],
      [LAPTOP, '#drafts', `#general › ${long}`],
      [{ width: 768, height: 720 }, '#drafts', '#general › later'],
      [LAPTOP, '#browse', 'a channel of many words'],
    ] as const) {
      await page.setViewportSize(size);
      await page.evaluate((to) => ((globalThis as any).location.hash = to), hash);
      const link = main.getByRole('link', { name, exact: true });
      const [named, said] = await boxesOf(link, link.locator('xpath=following-sibling::*'));
      expect(said.left - named.right).toBeLessThan(20);
      expect(await link.evaluate((one: any) => one.scrollWidth - one.clientWidth)).toBe(0);
    }
  });

  test('what can be done with a scheduled message, and with a channel, stands in one line on a tablet', async () => {
    const hers = await pages.signIn(pages.server.owner);
    await hers.setViewportSize({ width: 768, height: 720 });
    const { owner } = pages.server;
    const later = {
      topic: 'later',
      content: 'soon',
      scheduled_delivery_timestamp: Math.floor(Date.now() / 1000) + 86_400,
    };
    await owner.ok('POST', '/scheduled_messages', { type: 'channel', to: 1, ...later });
    const main = hers.getByRole('main');
    for (const [hash, names] of [
      ['#drafts', ['Change the time of what is for #general › later', 'Discard what is for #general › later']],
      ['#organization/channels', ['Folder of general', 'Archive general']],
    ] as const) {
      await hers.evaluate((to) => ((globalThis as any).location.hash = to), hash);
      const [first, second] = await boxesOf(...names.map((name) => main.getByLabel(name, { exact: true })));
      expect(second!.top).toBeLessThan(first!.bottom);
      expect(second!.left).toBeGreaterThan(first!.right);
    }
    await hers.context().close();
  });

  test('on a phone, the time of a draft begins where its text does', async () => {
    const draft = { type: 'stream', to: [1], topic: 'older', content: 'written long ago', timestamp: 1_500_000_000 };
    await ann.ok('POST', '/drafts', { drafts: [draft] });
    await page.setViewportSize(PHONE);
    await page.evaluate(() => ((globalThis as any).location.hash = '#drafts'));
    const said = page.getByRole('main').getByText(draft.content);
    const time = page.getByRole('listitem').filter({ hasText: draft.content }).locator('time');
    const beginOf = (one: Locator): Promise<number> =>
      one.evaluate((element: any) => {
        const range = (globalThis as any).document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect().left;
      });
    const [begin, { left }] = await atOneMoment(async () => [await beginOf(time), await boxOf(said)]);
    expect(begin).toBeCloseTo(left);
  });

  test('on a small phone, an upload is told whole', async () => {
    const hers = await pages.signIn(ann);
    await hers.setViewportSize({ width: 360, height: 720 });
    await hers.evaluate((to) => ((globalThis as any).location.hash = to), topicHash('layout'));
    await hers.getByRole('textbox', { name: /^Message / }).waitFor();
    await hers.evaluate(() => {
      (globalThis as any).XMLHttpRequest.prototype.send = function () {
        this.upload.onprogress({ loaded: 1, total: 2 });
      };
    });
    await hers
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    const told = hers.getByText('Uploading a.txt: 50 %');
    await told.waitFor({ state: 'attached' });
    expect(await told.isVisible()).toBe(true);
    expect(await told.evaluate((one: any) => one.scrollWidth - one.clientWidth)).toBe(0);
    await hers.context().close();
  });

  test('on a phone, an e-mail address breaks before its @ and its dots', async () => {
    const { owner } = pages.server;
    await owner.ok('POST', '/invites', {
      invitee_emails: 'quite.a.long.name.of.somebody@department.example.com',
      stream_ids: [1],
    });
    const hers = await pages.signIn(owner);
    await hers.setViewportSize({ width: 320, height: 720 });
    await hers.evaluate(() => ((globalThis as any).location.hash = '#organization/invitations'));
    const address = hers.getByRole('main').getByText('quite.a.long.name').first();
    await address.waitFor();
    const lines = await address.evaluate((one: any) => {
      const { document } = globalThis as any;
      return [...one.childNodes]
        .filter(({ nodeType, data }: any) => nodeType === 3 && data !== '')
        .map((text: any) => {
          const range = document.createRange();
          range.selectNodeContents(text);
          return [text.data, new Set([...range.getClientRects()].map(({ top }: any) => top)).size];
        });
    });
    expect(lines.filter(([, count]: any) => count !== 1)).toEqual([]);
    expect((await boxOf(address)).right).toBeLessThanOrEqual(320);
    await hers.context().close();
  });
});
