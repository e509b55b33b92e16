/** Markdown in a Chromium: the same HTML, byte for byte, as in Node. */
import { resolve } from 'node:path';
import { build } from 'esbuild';
import { render } from '#markdown';
import { seeded } from '#testing';
import { FRAGMENTS, organization } from '../../libs/edge/markdown/src/hostile.fixture.js';
import { CHROMIUM, launchChromium, openContext } from '../support/chromium.js';

const ROOT = resolve(__dirname, '../..');
const RANDOM_TEXTS = 400;
const FRAGMENTS_MAX = 12;

const CODE = [
  '```python\ndef f(x):\n    return f"{x!r}"  # why\n```',
  '```js\nconst a = /x/.test(`${b}`) ?? null;\n```',
  '```html\n<style>a { color: red }</style><script>let x = 1;</script>\n```',
  '```css\n@media print { a::after { content: "é" } }\n```',
  '```md\n# A *b*\n```',
];
const FORMULAS = ['$$\\frac{1}{\\sqrt{x}}$$', '```math\n\\int_0^1 x\\,dx\n\\sum_i a_i\n```', '$$é \\undefined$$'];

function texts(): string[] {
  const random = seeded(7);
  const pick = (): string => FRAGMENTS[Math.floor(random() * FRAGMENTS.length)] ?? '';
  const mixed = Array.from({ length: RANDOM_TEXTS }, () =>
    Array.from({ length: 1 + Math.floor(random() * FRAGMENTS_MAX) }, pick).join(''),
  );
  return [...FRAGMENTS, ...CODE, ...FORMULAS, ...mixed];
}

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(ROOT, 'libs/edge/markdown/src/browser.fixture.ts')],
    alias: { '#kernel': resolve(ROOT, 'libs/engine/kernel/src/first-at-least.ts') },
    bundle: true,
    format: 'iife',
    globalName: 'markdown',
    footer: { js: 'globalThis.markdown = markdown;' },
    // A module of Node in it is an error.
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

const withBrowser = CHROMIUM === undefined ? test.skip : test;

withBrowser('a page renders what the server renders (CHROMIUM_BIN, or /usr/bin/chromium)', async () => {
  const sources = texts();
  const browser = await launchChromium();
  try {
    const page = await (await openContext(browser)).newPage();
    await page.evaluate(await bundle());
    expect(await page.evaluate('typeof Buffer')).toBe('undefined');
    const shown: string[] = await page.evaluate(`markdown.htmlOf(${JSON.stringify(sources)})`);
    const differing = sources.flatMap((source, index) => {
      const { html } = render(source, organization);
      return shown[index] === html ? [] : [{ source, html, shown: shown[index] }];
    });
    expect(differing).toEqual([]);
    expect(shown.join('')).toContain('class="katex"');
    expect(shown.join('')).toContain('<span class="nf">');
  } finally {
    await browser.close();
  }
});
