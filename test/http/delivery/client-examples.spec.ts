/** The examples of docs/client.md, run against a server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '#testing';
import { echoBot, reader } from '../../../examples/bot-and-reader.js';
import { bridge } from '../../../examples/bridge.js';
import { channelOf, startWithPeople, type Cast } from '../../support/people.js';

let cast: Cast;
beforeAll(async () => {
  cast = await startWithPeople();
});
afterAll(() => cast.server.stop());

test('the page shows the file that runs here', () => {
  const page = readFileSync(join(__dirname, '../../../docs/client.md'), 'utf8');
  const file = readFileSync(join(__dirname, '../../../examples/bot-and-reader.ts'), 'utf8');
  expect(page).toContain(`\`\`\`ts\n// examples/bot-and-reader.ts\n${file}\`\`\``);
});

test('the bot answers, once, and the reader sees what is said', async () => {
  const { server, ann, ben } = cast;
  const account = ({ email, apiKey }: typeof ann) => ({ site: server.url, email, apiKey });
  const channel = await channelOf('news', ann, ben);
  const shown: string[][] = [];
  const bot = echoBot(account(ben));
  await bot.start();
  await until(() => bot.store.get().status.kind === 'live');
  const client = await reader(account(ann), channel, (lines) => shown.push(lines));
  await ann.send(channel, 'one', 'It runs.');
  await ann.sendTo([ben], 'echo **1 & 2**\n\nand 3');
  await until(() => shown.at(-1)?.includes('Ann Archer: <p>It runs.</p>') === true);
  const said = async (): Promise<string[]> => {
    const narrow = [{ operator: 'dm', operand: [ben.userId] }];
    const asked = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false };
    return (await ann.ok('GET', '/messages', asked)).messages.map(({ content }: { content: string }) => content);
  };
  await until(async () => (await said()).length > 1);
  await bot.settled();
  expect(await said()).toEqual(['echo **1 & 2**\n\nand 3', '**1 & 2**\n\nand 3']);
  await Promise.all([bot.stop(), client.stop()]);
});

test('the bridge carries what is said to the other server, and nothing back', async () => {
  const other = await startWithPeople();
  try {
    const [left, right] = [
      await channelOf('left', cast.ann, cast.cleo),
      await channelOf('right', other.ann, other.cleo),
    ];
    const side = ({ server, cleo: { email, apiKey } }: Cast, channelId: number) => ({
      site: server.url,
      email,
      apiKey,
      channelId,
    });
    const end = await bridge(side(cast, left), side(other, right));
    const said = async ({ ann }: Cast, channel: number): Promise<string[]> => {
      const narrow = [{ operator: 'channel', operand: channel }];
      const asked = { anchor: 'newest', num_before: 10, num_after: 0, narrow, apply_markdown: false };
      return (await ann.ok('GET', '/messages', asked)).messages.map((one: any) => `${one.subject}: ${one.content}`);
    };
    // From when on the bridge listens, it tells nobody.
    await until(async () => {
      await cast.ann.send(left, 'one', 'Are you there?');
      return (await said(other, right)).length > 0;
    });
    await other.ann.send(right, 'two', 'I *am*.');
    await until(async () => (await said(cast, left)).includes('two: **Ann Archer**: I *am*.'));
    expect(await said(other, right)).toContain('one: **Ann Archer**: Are you there?');
    // What would be carried back is on its way before this.
    await cast.ann.send(left, 'three', 'Good.');
    await until(async () => (await said(other, right)).includes('three: **Ann Archer**: Good.'));
    expect((await said(other, right)).filter((text) => text.includes('I *am*'))).toEqual(['two: I *am*.']);
    expect((await said(cast, left)).filter((text) => text.includes('there?') && text.includes('**'))).toEqual([]);
    await end();
  } finally {
    await other.server.stop();
  }
});
