import { existsSync } from 'node:fs';

const USUAL = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A Chromium: the one that `CHROMIUM_BIN` names, or one in a usual place; undefined when there is none. */
export const CHROMIUM = [process.env['CHROMIUM_BIN'] ?? '', ...USUAL].find((path) => path !== '' && existsSync(path));
