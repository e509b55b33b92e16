import { setTimeout as pause } from 'node:timers/promises';
import { GivenMongo, SEED, seeded, sized, until } from '#testing';
import { ApiClient } from '../support/client.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { sentInLog } from '../support/sent-messages.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

interface Size {
  /** Scheduled messages and reminders together. */
  readonly planned: number;
  readonly kills: number;
  /** Seconds in which all become due. */
  readonly spanSeconds: number;
  /** Seconds for planning all of them before the first is due. */
  readonly aheadSeconds: number;
}

const WHOLE: Size = sized({
  nightly: { planned: 1_000, kills: 30, spanSeconds: 120, aheadSeconds: 60 },
  usual: { planned: 200, kills: 4, spanSeconds: 12, aheadSeconds: 10 },
});
/**
 * FerretDB reads whole collections for each query and update, so the time that it takes grows with the square of what is planned.
 * There, as many are planned in rounds, each with stores of its own.
 */
const FERRETDB_ROUNDS = GivenMongo.url === undefined ? sized({ nightly: 10, usual: 2 }) : 1;
const ROUND: Size = {
  planned: WHOLE.planned / FERRETDB_ROUNDS,
  kills: Math.ceil(WHOLE.kills / FERRETDB_ROUNDS),
  spanSeconds: Math.ceil(WHOLE.spanSeconds / FERRETDB_ROUNDS),
  aheadSeconds: Math.ceil(WHOLE.aheadSeconds / FERRETDB_ROUNDS),
};
const AT_ONCE = 10;
/** A process is suspended in place of ended as often, for at most this long. */
const SUSPENDED_MAX_MS = 4_000;
/** Guards against hanging only. */
const OVER_WITHIN_MS = 300_000;
const random = seeded(SEED);

const now = (): number => Math.floor(Date.now() / 1000);

/** Messages to be sent, and notes of reminders, by what clients were told. */
interface Planned {
  readonly contents: string[];
  readonly notes: string[];
}

/**
 * Plans something for the time, or for a moment later when that has come on a busy machine. Repeats the request until it is
 * recorded, which the server may say before it can show it.
 */
async function record(client: ApiClient, path: string, parameters: object, plannedFor: number): Promise<void> {
  for (;;) {
    const time = Math.max(plannedFor, now() + 3);
    const { status, text } = await client.call('POST', path, { ...parameters, scheduled_delivery_timestamp: time });
    if (status === 200 || text.includes('The server has recorded this')) return;
    if (status !== 503 && !text.includes('must be in the future')) throw new Error(`${path}: ${text}`);
    await pause(100);
  }
}

/** Users who plan at the same time: what one user plans is recorded one after the other. */
function planners(owner: ApiClient, server: () => string): Promise<ApiClient[]> {
  return Promise.all(
    Array.from({ length: AT_ONCE }, async (_, index) => {
      const [email, password] = [`planner${index}@example.test`, 'a good long password'];
      await owner.ok('POST', '/users', { email, password, full_name: `Planner ${index}` });
      const { api_key } = await owner.ok('POST', '/fetch_api_key', { username: email, password });
      return new ApiClient(server, email, String(api_key));
    }),
  );
}

/** Plans messages and reminders that become due over a while. */
async function plan([first, ...others]: readonly ApiClient[], size: Size): Promise<Planned> {
  if (first === undefined) throw new Error('Nobody plans.');
  const clients = [first, ...others];
  const target = await first.send('general', 'plans', 'the target');
  const planned: Planned = { contents: [], notes: [] };
  const firstAt = now() + size.aheadSeconds;
  for (let from = 0; from < size.planned; from += AT_ONCE)
    await Promise.all(
      clients.map(async (client, index) => {
        const time = firstAt + Math.floor(random() * size.spanSeconds);
        const name = `plan ${from + index} of the story`;
        if (index % 2 === 0) {
          const message = { type: 'channel', to: general, topic: `topic ${index}`, content: name };
          await record(client, '/scheduled_messages', message, time);
          planned.contents.push(name);
        } else {
          await record(client, '/reminders', { message_id: target, note: name }, time);
          planned.notes.push(name);
        }
      }),
    );
  await until(() => now() >= firstAt, OVER_WITHIN_MS);
  return planned;
}

let general: number;

async function findGeneral(client: ApiClient): Promise<void> {
  general = (await client.ok('GET', '/get_stream_id', { stream: 'general' })).stream_id;
}

/** Waits until nothing is planned any more. What was claimed by a process that ended takes ten seconds. */
async function untilOver(clients: readonly ApiClient[]): Promise<void> {
  const asked = { fetch_event_types: ['scheduled_messages', 'reminders'] };
  for (const client of clients)
    await until(async () => {
      await pause(200);
      const { body } = await client.call('POST', '/register', asked);
      return body.scheduled_messages?.length === 0 && body.reminders?.length === 0;
    }, OVER_WITHIN_MS);
}

/** Every plan was carried out once. */
async function expectOnce(address: string, { contents, notes }: Planned): Promise<void> {
  const sent = (await sentInLog(address)).map(({ content }) => content);
  const ofMessages = sent.filter((content) => /^plan \d+ of the story$/.test(content));
  const ofReminders = sent.flatMap((content) => /^> (plan \d+ of the story)$/m.exec(content)?.[1] ?? []);
  expect(ofMessages.sort()).toEqual(contents.sort());
  expect(ofReminders.sort()).toEqual(notes.sort());
}

/** Ends or suspends one process after another, at random moments of the time in which timers fire. */
async function killAtRandom(victims: readonly ServerProcess[], { kills, spanSeconds }: Size): Promise<void> {
  for (let round = 0; round < kills; round++) {
    await pause(random() * ((spanSeconds * 1000) / kills));
    const victim = victims[Math.floor(random() * victims.length)] as ServerProcess;
    if (random() < 0.3) {
      await victim.suspend(random() * SUSPENDED_MAX_MS);
    } else {
      await victim.end('SIGKILL');
      await victim.start();
    }
  }
}

describe('a server of its own', () => {
  const server = new ServerProcess();
  beforeAll(() => {
    build();
  });
  afterAll(() => server.discard());

  test(
    `${WHOLE.kills} times SIGKILL or SIGSTOP while ${WHOLE.planned} timers fire: each is carried out once`,
    async () => {
      await server.start();
      const owner = server.owner();
      await findGeneral(owner);
      const clients = await planners(owner, () => server.url);
      const planned = await plan(clients, WHOLE);
      await killAtRandom([server], WHOLE);
      await untilOver(clients);
      await server.end('SIGTERM');
      await expectOnce(`sqlite:${server.dataDir}/events.db`, planned);
    },
    (WHOLE.kills + 4) * 60_000,
  );
});

describeShared('two apis and two projectors', () => {
  let stores: SharedStores;
  let apis: ServerProcess[] = [];
  let projectors: ServerProcess[] = [];

  beforeAll(() => {
    build();
  });
  beforeEach(async () => {
    stores = await openSharedStores();
    const environment = { ...stores.environment, PROJECTOR: 'off' };
    apis = [new ServerProcess('api', environment), new ServerProcess('api', environment)];
    projectors = [new ServerProcess('projector', environment), new ServerProcess('projector', environment)];
    await Promise.all([...projectors, ...apis].map((process) => process.start()));
  });
  afterEach(async () => {
    for (const process of [...apis, ...projectors]) await process.discard();
    await stores.stop();
  });

  test.each(Array.from({ length: FERRETDB_ROUNDS }, (_, index) => index + 1))(
    `round %i: ${ROUND.kills} times SIGKILL or SIGSTOP to any of them while ${ROUND.planned} timers fire: each is carried out once`,
    async () => {
      const owner = (apis[0] as ServerProcess).owner();
      await findGeneral(owner);
      const clients = await planners(owner, () => (apis[0] as ServerProcess).url);
      const planned = await plan(clients, ROUND);
      await killAtRandom([...apis, ...projectors], ROUND);
      await untilOver(clients);
      await expectOnce(stores.standIn.url, planned);
    },
    (ROUND.kills + 4) * 60_000,
  );
});
