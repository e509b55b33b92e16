import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNightly } from '#testing';
import { EventStoreDbStandIn } from '../eventstoredb/index.js';
import { describeShared } from '../support/pairings.js';
import { build, ServerProcess } from '../support/process.js';
import { openSharedStores, type SharedStores } from '../support/shared-stores.js';

const NOBODY_THERE = '127.0.0.1:1';
const SECRET_KEY = 'a secret that all processes of a test share';
/** Against hanging only. */
const READY_WITHIN_MS = 240_000;
const TOLD_WITHIN_MS = 240_000;

type Environment = Readonly<Record<string, string>>;
type App = 'api' | 'projector';

const APPS: readonly App[] = ['api', 'projector'];

/** Both apps with these settings, started in parallel, and ended in any case. */
async function withBoth(
  environment: Environment,
  work: (app: ServerProcess, name: App) => Promise<void>,
): Promise<void> {
  const processes = APPS.map((name) => ({ name, app: new ServerProcess(name, { SECRET_KEY, ...environment }) }));
  try {
    await Promise.all(processes.map(({ app }) => app.launch()));
    await Promise.all(processes.map(({ app, name }) => work(app, name)));
  } finally {
    for (const { app } of processes) await app.discard();
  }
}

function expectNoSecret({ output }: ServerProcess): void {
  expect(output).not.toMatch(/s3cret|olive:/);
}

async function expectOneSentence(app: ServerProcess, sentence: RegExp): Promise<void> {
  const code = await app.ended();
  expect(app.errors).toMatch(sentence);
  expect(app.errors.trimEnd().split('\n')).toHaveLength(1);
  // Nor did it log anything beside.
  expect(app.output).not.toContain('{');
  expectNoSecret(app);
  expect(code).toBe(1);
}

/** Up, not ready, and saying why. */
async function expectPatience(app: ServerProcess, reason: RegExp): Promise<void> {
  const untilMs = performance.now() + TOLD_WITHIN_MS;
  while (!reason.test(app.output) && performance.now() < untilMs) await new Promise((next) => setTimeout(next, 100));
  expect(app.output).toMatch(reason);
  expectNoSecret(app);
  expect((await app.check('live')).status).toBe(200);
  const { status, headers, body } = await app.check('ready');
  expect({ status, body }).toMatchObject({ status: 503, body: { result: 'error', code: 'SERVER_NOT_READY' } });
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
}

beforeAll(() => {
  build();
});

describe('an address that can never work ends the process with a sentence that names the setting', () => {
  const aLog = `esdb://${NOBODY_THERE}?tls=false`;
  const aReadStore = `mongodb://${NOBODY_THERE}/`;

  // Each costs two processes; what else an address can be is known to the specs of the stores.
  const addresses: readonly [string, string, RegExp][] = [
    ['esdb://', aReadStore, /^EVENT_STORE_URL: .+/],
    ['postgres://olive:s3cret@h/x', aReadStore, /^EVENT_STORE_URL: .+/],
    [`esdb://olive:s3cret@${NOBODY_THERE}?nosuch=s3cret`, aReadStore, /^EVENT_STORE_URL: .+ unknown option: nosuch/],
    [`esdb://${NOBODY_THERE}?tls=true&tlsCAFile=/nowhere/ca.pem`, aReadStore, /^EVENT_STORE_URL: .+certificate file/],
    [aLog, 'mongodb://', /^READ_STORE_URL: .+/],
    [aLog, 'postgres://olive:s3cret@h/x', /^READ_STORE_URL: .+/],
    [aLog, 'mongodb://olive:s3cret@127.0.0.1:port/', /^READ_STORE_URL: .+/],
    [aLog, `mongodb://olive:s3cret@${NOBODY_THERE}/?nosuch=s3cret`, /^READ_STORE_URL: .+/],
  ];
  test.each(addresses.filter((_, index) => isNightly || index % 3 === 2))(
    '%s with %s',
    async (eventStoreUrl, readStoreUrl, sentence) => {
      const environment = { EVENT_STORE_URL: eventStoreUrl, READ_STORE_URL: readStoreUrl };
      await withBoth(environment, (app) => expectOneSentence(app, sentence));
    },
  );

  test('a read store on a server, and the log in a file', async () => {
    await withBoth({ READ_STORE_URL: aReadStore }, (app, name) =>
      expectOneSentence(
        app,
        name === 'api'
          ? /^READ_STORE_URL is on a server, but EVENT_STORE_URL is not\./
          : /^A separate projector .+EVENT_STORE_URL/,
      ),
    );
  });
});

describeShared('a store that is absent, or refuses access', () => {
  let stores: SharedStores;
  let guarded: EventStoreDbStandIn;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'scrollback-guarded-'));
    stores = await openSharedStores();
    guarded = await EventStoreDbStandIn.start({ users: { olive: 's3cret' }, tlsCAFile: join(folder, 'ca.pem') });
  });

  afterAll(async () => {
    await stores.stop();
    await guarded.stop();
    rmSync(folder, { recursive: true });
  });

  test('a prefix that the organization does not have', async () => {
    // Read models that follow this log would be refused by the tests below, whose logs are others.
    const own = await openSharedStores();
    const { environment } = own;
    const api = new ServerProcess('api', environment);
    try {
      await api.start();
      await api.end('SIGKILL');
      const sentence = /^STREAM_PREFIX is other, but .+ without STREAM_PREFIX\.$/m;
      await withBoth({ ...environment, STREAM_PREFIX: 'other' }, (app) => expectOneSentence(app, sentence));
    } finally {
      await api.discard();
      await own.stop();
    }
  });

  test('no server at EVENT_STORE_URL', async () => {
    const environment = { ...stores.environment, EVENT_STORE_URL: `esdb://olive:s3cret@${NOBODY_THERE}?tls=true` };
    await withBoth(environment, (app) =>
      expectPatience(app, /The event store at 127\.0\.0\.1:1 is not available: connection refused/),
    );
  });

  test('no server at READ_STORE_URL', async () => {
    const environment = { ...stores.environment, READ_STORE_URL: `mongodb://olive:s3cret@${NOBODY_THERE}/x` };
    await withBoth(environment, (app) =>
      expectPatience(app, /The read store at 127\.0\.0\.1:1 is not available: .*ECONNREFUSED/),
    );
  });

  test('a read store that knows no such user', async () => {
    const { READ_STORE_URL = '' } = stores.environment;
    const environment = {
      ...stores.environment,
      READ_STORE_URL: READ_STORE_URL.replace(/:\/\/(?:[^@/]*@)?/, '://olive:s3cret@'),
    };
    await withBoth(environment, (app) => expectPatience(app, /The read store at .+ is not available: .*uthentication/));
  });

  test('an event store with an untrusted certificate', async () => {
    const environment = { ...stores.environment, EVENT_STORE_URL: `esdb://127.0.0.1:${guarded.port}?tls=true` };
    await withBoth(environment, (app) =>
      expectPatience(app, /The event store at .+ is not available: its certificate is not trusted/),
    );
  });

  test.each(['wrong', 's3cret is not it'])('a password that the event store does not know: %s', async (password) => {
    const environment = { ...stores.environment, EVENT_STORE_URL: guarded.urlAs('olive', password) };
    await withBoth(environment, async (app) => {
      await expectPatience(app, /The event store at .+ is not available: it refuses the credentials/);
      expect(app.output).not.toContain(encodeURIComponent(password));
    });
  });

  test('an event store that refuses a password and then does not: everything starts without a restart', async () => {
    guarded.faults.refusePasswords();
    const environment = { ...stores.environment, EVENT_STORE_URL: guarded.urlAs('olive', 's3cret'), PROJECTOR: 'off' };
    let told = 0;
    await withBoth(environment, async (app) => {
      await expectPatience(app, /The event store at .+ is not available: it refuses the credentials/);
      if (++told === APPS.length) guarded.faults.heal();
      await app.turns(200, READY_WITHIN_MS);
      expectNoSecret(app);
    });
  });
});

describeShared('the log on a server and the read models in a file', () => {
  test('serve one process', async () => {
    const stores = await openSharedStores();
    const { EVENT_STORE_URL = '' } = stores.environment;
    await withBoth({ EVENT_STORE_URL }, async (app, name) => {
      if (name === 'projector') return expectOneSentence(app, /^A separate projector .+READ_STORE_URL/);
      await app.turns(200, READY_WITHIN_MS);
      const id = await app.owner().send('general', 'a topic', 'kept on a server');
      expect((await app.owner().ok('GET', `/messages/${id}`, { apply_markdown: false })).message.content).toBe(
        'kept on a server',
      );
    });
    await stores.stop();
  });
});
