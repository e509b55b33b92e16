import { SEED, seeded, sized, until } from '#testing';
import type { ApiClient } from '../support/client.js';
import { MailServer } from '../support/mail-server.js';
import { build, ServerProcess } from '../support/process.js';

const ROUNDS = sized({ nightly: 12, usual: 3 });
const INVITED_PER_ROUND = 6;
/** A mail server takes a while to answer. */
const ANSWER_AFTER_MS = 150;
/** Guards against hanging only: the fate of a mail is known after half a minute. */
const KNOWN_WITHIN_MS = 240_000;
const random = seeded(SEED);

let mails: MailServer;
let server: ServerProcess;

beforeAll(async () => {
  build();
  mails = await MailServer.start();
  mails.answering = (answer) => setTimeout(answer, ANSWER_AFTER_MS * random());
  server = new ServerProcess('api', { SMTP_URL: `smtp://127.0.0.1:${mails.port}` });
  await server.start();
});
afterAll(async () => {
  await server.discard();
  await mails.stop();
});

async function toldOf(owner: ApiClient): Promise<string[]> {
  const narrow = JSON.stringify([{ operator: 'is', operand: 'dm' }]);
  const asked = { anchor: 'newest', num_before: 500, num_after: 0, narrow, apply_markdown: false };
  const { messages } = await owner.ok('GET', '/messages', asked);
  return (messages as { content: string }[]).flatMap(
    ({ content }) => /not known whether .* invites (\S+)/.exec(content)?.[1] ?? [],
  );
}

test(
  `${ROUNDS} times SIGKILL while invitations are sent: each arrives once, or its inviter is told that this is not known`,
  async () => {
    const invited: string[] = [];
    const owner = server.owner();
    for (let round = 0; round < ROUNDS; round++) {
      const emails = Array.from({ length: INVITED_PER_ROUND }, (_, at) => `guest${round}-${at}@example.test`);
      await owner.ok('POST', '/invites', { invitee_emails: emails.join(','), stream_ids: '[]', invite_as: 400 });
      invited.push(...emails);
      const before = mails.texts;
      await until(() => mails.texts > before || mails.textBytes > 0);
      await new Promise((next) => setTimeout(next, random() * 2 * ANSWER_AFTER_MS));
      await server.end('SIGKILL');
      await server.start();
    }
    let told: string[] = [];
    await until(async () => {
      told = await toldOf(owner);
      const known = new Set([...told, ...mails.taken.flatMap(({ to }) => to)]);
      return invited.every((email) => known.has(email));
    }, KNOWN_WITHIN_MS);
    const arrived = mails.taken.flatMap(({ to }) => to);
    expect(new Set(arrived).size).toBe(arrived.length);
    expect(new Set(told).size).toBe(told.length);
    process.stdout.write(`${invited.length} mails: ${arrived.length} arrived, ${told.length} are not known.\n`);
  },
  KNOWN_WITHIN_MS + ROUNDS * 90_000,
);
