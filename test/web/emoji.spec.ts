/** Emoji of the chat page: skin tones against a table of Unicode, and the picker in Chromium. */
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { inTone } from '../../web/chat/emoji.js';
import { withBrowser } from '../support/chromium.js';
import { type ChatPages, startChatPages, violationsIn } from './chat-page.js';

interface Known {
  readonly unified: string;
  readonly short_name: string;
  readonly skin_variations?: Readonly<Record<string, { readonly unified: string }>>;
}
const KNOWN = createRequire(__filename)('emoji-datasource/emoji.json') as readonly Known[];
/** As codes are written here: lower case, without variation selectors. */
const codeOf = (unified: string): string => unified.toLowerCase().replaceAll('-fe0f', '');

test('a person or a hand alone has the tones that Unicode gives them, and nothing else has one', () => {
  const ofTable = KNOWN.map(({ unified, skin_variations: tones }) => [
    codeOf(unified),
    tones?.['1F3FD'] && codeOf(tones['1F3FD'].unified),
  ]);
  // Couples: the table has tones for two persons at once, which are not offered.
  const isCouple = (code = ''): boolean =>
    /-1f(?:46[6-9]|9d[12])/.test(code) || /^1f46[b-d]|^1f9d1-200d-1f91d/.test(code);
  const found = ofTable.map(([code = '']) => [
    code,
    inTone({ emoji_code: code, emoji_name: '', reaction_type: 'unicode_emoji' }, 3),
  ]);
  const alone = (pairs: (string | undefined)[][]) => pairs.filter(([code]) => !isCouple(code));
  expect(alone(found)).toEqual(alone(ofTable));
  expect(alone(found).filter(([, toned]) => toned !== undefined).length).toBeGreaterThan(250);
});

withBrowser('the picker of emoji, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  let pages: ChatPages;
  let page: Page;
  const picker = () => page.getByRole('dialog');
  const composer = () => page.getByRole('textbox', { name: /^Message/ });
  const open = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Insert an emoji' }).click();
    await picker().getByRole('heading', { name: 'Flags' }).waitFor({ state: 'attached' });
  };
  const namesIn = (group: string) =>
    picker()
      .getByRole('region', { name: group })
      .getByRole('button')
      .evaluateAll((all) => all.map((one: any) => one.ariaLabel));
  const focused = () => page.evaluate(() => (globalThis as any).document.activeElement.ariaLabel);

  beforeAll(async () => {
    pages = await startChatPages();
    page = await pages.signIn(await pages.server.user());
    await page.evaluate(() => ((globalThis as any).location.hash = '#narrow/channel/1-general/topic/emoji'));
    await composer().waitFor();
  });
  afterAll(() => pages.close());
  afterEach(() => expect(pages.complaints).toEqual([]));

  test('groups are headings in the order of Unicode, reached by a bar, by arrows, and by Tab', async () => {
    await open();
    expect(await picker().getByRole('heading', { level: 3 }).allTextContents()).toEqual([
      'Used most',
      'Smileys and feelings',
      'People and body',
      'Animals and nature',
      'Food and drink',
      'Travel and places',
      'Activities',
      'Objects',
      'Symbols',
      'Flags',
    ]);
    expect((await namesIn('Smileys and feelings')).slice(0, 2)).toEqual(['grinning', 'smiley']);
    expect(await violationsIn(page)).toEqual([]);
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('Used most');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('atm');
    await picker().getByRole('button', { name: 'Symbols' }).and(page.locator('[aria-current=true]')).waitFor();
    await page.keyboard.press('ArrowLeft');
    const before = await focused();
    await page.keyboard.press('ArrowRight');
    expect([before, await focused()]).toEqual([(await namesIn('Objects')).at(-1), 'atm']);
    await page.keyboard.press('ArrowUp');
    expect(await namesIn('Objects')).toContain(await focused());
    // Tab leads on from there, and back to it.
    const at = await focused();
    await page.keyboard.press('Tab');
    expect(await focused()).toBe('No skin tone');
    await page.keyboard.press('Shift+Tab');
    expect(await focused()).toBe(at);
    await page.keyboard.press('Escape');
    await picker().waitFor({ state: 'detached' });
  });

  test('what is picked most comes first, also after the page is loaded anew', async () => {
    const pickByName = async (name: string): Promise<void> => {
      await open();
      await picker().getByLabel('Find an emoji').fill(name);
      await page.keyboard.press('Enter');
      await picker().waitFor({ state: 'detached' });
    };
    for (const name of ['otter', 'teapot', 'otter']) await pickByName(name);
    expect(await composer().inputValue()).toBe(':otter: :teapot: :otter: ');
    await page.reload();
    await composer().fill('');
    await open();
    expect((await namesIn('Used most')).slice(0, 3)).toEqual(['otter', 'teapot', 'thumbs_up']);
    await picker().getByLabel('Find an emoji').press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await picker().waitFor({ state: 'detached' });
    expect(await composer().inputValue()).toBe(':teapot: ');
    await open();
    await picker().getByLabel('Find an emoji').fill('no such thing');
    await picker().getByText('No emoji has such a name.').waitFor();
    // The first Escape empties the field.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await picker().waitFor({ state: 'detached' });
  });

  test('a text takes the skin tone that was chosen before, a reaction has none', async () => {
    await composer().fill('');
    await open();
    await picker().getByLabel('Medium dark').check({ force: true });
    await picker().getByRole('button', { name: 'wave', exact: true }).first().click();
    expect(await composer().inputValue()).toBe('👋🏾 ');
    await page.keyboard.press('Enter');
    const row = page.getByRole('article').filter({ hasText: '👋🏾' });
    await row.locator('.rendered').waitFor();
    await open();
    expect(await picker().getByLabel('Medium dark').isChecked()).toBe(true);
    await page.keyboard.press('Escape');
    await row.hover();
    await row.getByRole('button', { name: 'Add a reaction' }).click();
    await picker().getByRole('button', { name: 'wave', exact: true }).first().click();
    await row.getByRole('button', { name: /reacted with :wave:/ }).waitFor();
  });
});
