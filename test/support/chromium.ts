import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The one without windows first: it takes half of the processor's time. */
const USUAL = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

/** A Chromium: the one that `CHROMIUM_BIN` names, or one in a usual place; undefined when there is none. */
export const CHROMIUM = [process.env['CHROMIUM_BIN'] ?? '', ...USUAL].find((path) => path !== '' && existsSync(path));

/** Tests that are left out where there is no Chromium. */
export const withBrowser = CHROMIUM === undefined ? describe.skip : describe;

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
