/** The list of messages alone in a Chromium, with rows that tests make. */
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, openContext } from '../support/chromium.js';

const HARNESS = 'web/list/message-list.harness.tsx';
const ORIGIN = 'http://list.test';

export interface ListPage {
  readonly browser: Browser;
  /** A page of its own; `list` in it is the harness. */
  open(options?: { readonly hasTouch?: boolean }): Promise<Page>;
  close(): Promise<void>;
}

export async function openListPages(): Promise<ListPage> {
  const { outputFiles } = await build({
    entryPoints: [HARNESS],
    bundle: true,
    write: false,
    outdir: '/',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const textOf = (ending: string): string => outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? '';
  const html = `<!doctype html><style>body{margin:0}${textOf('.css')}</style><div id="page"></div>`;
  const browser = await launchChromium();
  return {
    browser,
    async open(options = {}) {
      const page = await (await openContext(browser, { viewport: { width: 800, height: 700 }, ...options })).newPage();
      await page.route(`${ORIGIN}/`, (route) => route.fulfill({ contentType: 'text/html', body: html }));
      await page.goto(ORIGIN);
      await page.evaluate(textOf('.js'));
      return page;
    },
    close: () => browser.close(),
  };
}

/** Waits until the list has drawn what was asked for and asks for no more. */
export const settled = (page: Page): Promise<void> =>
  page.evaluate(
    `new Promise((resolve) => {
      let [before, quiet] = ['', 0];
      const look = () => {
        const now = document.querySelectorAll('[role=article]').length + ' ' + JSON.stringify(list.anchor()) + list.state.rows.length;
        quiet = now === before ? quiet + 1 : 0;
        before = now;
        if (quiet < 5) requestAnimationFrame(look); else resolve();
      };
      look();
    })`,
  );
