// The recorded session: who takes part, the chapters, and what the log holds in the end.
import { audit } from './chapters/audit.mjs';
import { channels } from './chapters/channels.mjs';
import { composing } from './chapters/composing.mjs';
import { files } from './chapters/files.mjs';
import { integrations } from './chapters/integrations.mjs';
import { ending, joining, limitedGuests } from './chapters/joining.mjs';
import { messages } from './chapters/messages.mjs';
import { organization } from './chapters/organization.mjs';
import { people } from './chapters/people.mjs';
import { refusals } from './chapters/refusals.mjs';
import { Journal } from './journal.mjs';
import { Outside } from './outside.mjs';
import { Recorder } from './recorder.mjs';
import { OWNER, Server } from './server.mjs';
import { logAsText, mailsAsText, withoutChance } from './text.mjs';

const CHAPTERS = [
  people,
  channels,
  messages,
  composing,
  organization,
  files,
  integrations,
  joining,
  limitedGuests,
  audit,
  refusals,
];
const PEOPLE = { ann: 'Ann Archer', ben: 'Ben Baker', cleo: 'Cleo Cole', dora: 'Dora Drake', gus: 'Gus Guest' };

/**
 * Records the whole session at a built checkout.
 * @returns its text without what chance decides, the routes that it misses and the events that do not say who acts, and examples for the
 * OpenAPI document
 */
export async function recorded(checkout) {
  return withServer(checkout, async (server, outside) => {
    const session = await begun(server, outside);
    for (const chapter of CHAPTERS) await chapter(session);
    const document = await (await fetch(`${server.url}/api/v1/openapi.json`)).json();
    await ending(session);
    await server.stop();
    const { examples, journal, routes } = session.recorder;
    const log = server.log();
    const text = [
      withoutChance(journal.text),
      `## Mails\n${mailsAsText(server.mails())}`,
      `## The log\n${logAsText(log)}`,
      `## Errors of the server\n${server.errors.join('\n')}`,
    ];
    const missing = [...routes.missing, ...(await withoutActor(log))];
    return { text: text.join('\n\n'), missing, examples: examples.of(document) };
  });
}

/** Sentences about events that have no origin, or of which nobody knows who acted. */
async function withoutActor(events) {
  // Of this checkout, which is built by now.
  const { originOf } = await import('#event-store');
  return events
    .filter((event) => event.metadata.o === undefined || originOf(event).by.kind === 'unknown')
    .map(({ stream, revision, type }) => `${stream}@${revision}: ${type} does not say who acts`);
}

/** The state of everybody at the build that wrote the data, and at another one that opens them. */
export async function opened(writer, reader) {
  return withServer(writer, async (server, outside) => {
    const session = await begun(server, outside);
    for (const chapter of CHAPTERS) await chapter(session);
    const before = await stateOf(session);
    await server.stop();
    const next = new Server(reader, outside.url, server.dataDir);
    await next.start();
    session.recorder.server = next;
    const after = await stateOf(session).finally(() => next.stop());
    return { before, after };
  });
}

async function withServer(checkout, work) {
  const outside = await Outside.start();
  const server = new Server(checkout, outside.url);
  try {
    await server.start();
    return await work(server, outside);
  } finally {
    await server.stop();
    outside.stop();
    server.discard();
  }
}

/** Everybody has an account, and a queue whose events are collected. */
async function begun(server, outside) {
  const recorder = new Recorder(server, outside);
  const nobody = recorder.client('nobody');
  const owner = await recorder.logIn('owner', OWNER.email, OWNER.password);
  recorder.owner = owner;
  const session = { recorder, server, outside, nobody, owner };
  // One chapter is about mail of missed messages; elsewhere it would come when it likes.
  await owner.patch('/realm/user_settings_defaults', {
    enable_offline_email_notifications: false,
    enable_followed_topic_email_notifications: false,
  });
  await owner.patch('/settings', { enable_offline_email_notifications: false });
  for (const [name, full_name] of Object.entries(PEOPLE)) {
    const email = `${full_name.toLowerCase().replace(' ', '.')}@example.test`;
    const password = `the password of ${full_name}`;
    await owner.post('/users', { email, password, full_name });
    session[name] = Object.assign(await recorder.logIn(name, email, password), { password });
  }
  await owner.patch(`/users/${session.gus.userId}`, { role: 600 });
  for (const name of ['owner', 'ann', 'ben', 'gus']) await session[name].listen();
  // A client of long ago, which declares nothing.
  await session.cleo.listen({ client_capabilities: {}, slim_presence: false });
  return session;
}

/** Registers and messages of everybody, as text. */
async function stateOf({ recorder, owner, ann, ben, cleo, gus, bot }) {
  Object.assign(recorder, { journal: new Journal(), paceSeconds: 0 });
  for (const client of [owner, ann, ben, cleo, gus, bot]) {
    await client.post('/register', { include_subscribers: true });
    await client.get('/messages', { anchor: 'newest', num_before: 1_000, num_after: 0 });
    await client.get('/messages', {
      anchor: 'newest',
      num_before: 1_000,
      num_after: 0,
      narrow: [['channels', 'public']],
    });
  }
  return withoutChance(`${recorder.journal.text}\n`);
}
