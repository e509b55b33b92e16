import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core';
import { slowDown } from './slow-pages.js';

/** The one without windows first: it takes half of the processor's time. */
const USUAL = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** A Chromium: the one that `CHROMIUM_BIN` names, or one in a usual place; undefined when there is none. */
export const CHROMIUM = [process.env['CHROMIUM_BIN'] ?? '', ...USUAL].find((path) => path !== '' && existsSync(path));

/** Tests that are left out where there is no Chromium. */
export const withBrowser = CHROMIUM === undefined ? describe.skip : describe;

/** Against hanging only, and below Jest's: the 30 s that Playwright waits by itself are short on a busy machine. */
const LIMIT_MS = 120_000;

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'], timeout: LIMIT_MS });

/** A context of its own, which waits as long as a busy machine needs. */
export async function openContext(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(LIMIT_MS);
  slowDown(context);
  return context;
}
