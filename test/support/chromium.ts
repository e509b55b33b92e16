import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A Chromium: the one that `CHROMIUM_BIN` names, or one in a usual place; undefined when there is none. */
export const CHROMIUM = [process.env['CHROMIUM_BIN'] ?? '', ...USUAL].find((path) => path !== '' && existsSync(path));

/** Tests that are left out where there is no Chromium. */
export const withBrowser = CHROMIUM === undefined ? describe.skip : describe;

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox'] });
