/** The client library in a Chromium, in the stories of test/http/delivery/windows.long.spec.ts. */
import { resolve } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { freePort, seeded, sized } from '#testing';
import { launchChromium, openContext, withBrowser } from '../support/chromium.js';
import { randomActs } from '../support/client-stories/acts.js';
import type { Followed } from '../support/client-stories/followed.js';
import { play } from '../support/client-stories/story.js';
import { tell } from '../support/client-stories/tell.js';
import type { ApiClient } from '../support/client.js';
import { startWithPeople, type Cast } from '../support/people.js';

const ROOT = resolve(__dirname, '../..');
const ACTS = 40;
const SEEDS = sized({ nightly: [1, 2, 3, 5, 7, 11, 16, 24], usual: [16] });

let cast: Cast;
let browser: Browser;
let page: Page;

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [resolve(ROOT, 'test/support/client-stories/followed.ts')],
    alias: { '#client': resolve(ROOT, 'libs/client/src/index.ts') },
    bundle: true,
    format: 'iife',
    globalName: 'stories',
    footer: { js: 'globalThis.stories = stories;' },
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  return outputFiles[0]?.text ?? '';
}

/** A client in the page. */
function followInPage({ email, apiKey }: ApiClient): Followed {
  const reader = JSON.stringify({ email, apiKey });
  const begun = page.evaluate(`void (globalThis.followed = stories.follow(location.origin, ${reader}))`);
  const call = async (method: keyof Followed, ...given: readonly unknown[]): Promise<any> => {
    await begun;
    return page.evaluate(`followed.${method}(${given.map((one) => JSON.stringify(one)).join()})`);
  };
  return {
    start: (narrows) => call('start', narrows),
    send: (...given) => call('send', ...given),
    setFlag: (...given) => call('setFlag', ...given),
    queueId: () => call('queueId'),
    isIdle: () => call('isIdle'),
    hasReached: (messageId) => call('hasReached', messageId),
    settled: () => call('settled'),
    shown: (narrows) => call('shown', narrows),
    stop: () => call('stop'),
  };
}

withBrowser('the client library, in Chromium (CHROMIUM_BIN, or /usr/bin/chromium)', () => {
  beforeAll(async () => {
    cast = await startWithPeople(undefined, { PORT: String(await freePort()) });
    cast.owner.userId = (await cast.owner.ok('GET', '/users/me')).user_id;
    browser = await launchChromium();
    page = await (await openContext(browser)).newPage();
    // The server's own pages do not let a program of a test connect.
    const address = `${cast.server.url}/stories`;
    await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto(address);
    await page.evaluate(await bundle());
  });
  afterAll(async () => {
    await browser.close();
    await cast.server.stop();
  });

  test.each(SEEDS)(
    'after the story with seed %i, windows and state are those of the server',
    async (seed) => {
      const { server, owner, ann, ben } = cast;
      const stage = {
        people: { owner, ann, ben },
        restart: () => server.restart(),
        follow: () => followInPage(ann),
      };
      await tell(randomActs(seeded(seed), ACTS), (acts) => play(stage, acts));
    },
    600_000,
  );
});
