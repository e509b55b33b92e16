import { createHash, randomUUID } from 'node:crypto';
import { closeSync, openSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { copyLog, openEventStore, streams } from '#event-store';
import { scrollback } from '#runtime';
import { isNightly, until } from '#testing';
import { runCommand } from '../../../apps/cli/src/command-line.js';
import { channelId, expectRefusal } from '../../support/answers.js';
import type { ApiClient } from '../../support/client.js';
import { describeShared, isShared } from '../../support/pairings.js';
import { startTestServer, type TestServer } from '../../support/server.js';
import { openSharedStores } from '../../support/shared-stores.js';

type Question = readonly [client: ApiClient, path: string, parameters: Record<string, unknown>];

let server: TestServer;
let clients: ApiClient[];
let questions: Question[];
let busy: number;
/** Settings that change between two starts. */
const environment: Record<string, string> = {};

const ask = async (asked: readonly Question[] = questions): Promise<string[]> => {
  const answers: string[] = [];
  for (const [client, path, parameters] of asked) {
    const { status, text } = await client.call('GET', path, parameters);
    answers.push(`${client.email} ${path} ${JSON.stringify(parameters)}: ${status} ${text}`);
  }
  return answers;
};

/** A conversation with everything in it, and then every question that can be asked about it. */
beforeAll(async () => {
  server = await startTestServer(environment);
  clients = [
    server.owner,
    await server.user('Ann Archer'),
    await server.user('Ben Baker'),
    await server.user('Cleo Cole'),
  ];
  for (const client of clients) client.userId = (await client.ok('GET', '/users/me')).user_id;
  const [owner, ann, ben, cleo] = clients as [ApiClient, ApiClient, ApiClient, ApiClient];
  const everyone = clients.map(({ userId }) => userId);
  const create = (client: ApiClient, name: string, principals: number[], more = {}): Promise<any> =>
    client.ok('POST', '/users/me/subscriptions', { subscriptions: [{ name }], principals, ...more });
  await create(ann, 'den', everyone);
  await create(ann, 'vault', [ann.userId, ben.userId], { invite_only: true, history_public_to_subscribers: true });
  await create(ben, 'cell', [ben.userId], { invite_only: true });
  await create(owner, 'busy', [owner.userId]);
  const channels = await Promise.all(
    ['den', 'vault', 'cell', 'busy'].map((name) => channelId(name === 'cell' ? ben : ann, name).catch(() => 0)),
  );
  busy = channels[3]!;
  const ids: number[] = [];
  for (let round = 0; round < 8; round++) {
    ids.push(await ann.send('den', `topic ${round % 3}`, `round **${round}** @**Ben Baker** #**den**`));
    ids.push(await ben.send('den', round % 2 === 0 ? '' : 'TOPIC 1', `reply :tada: ${round}`));
    ids.push(await cleo.sendTo([ann], `direct ${round}`), await ann.sendTo([ben, cleo], `group ${round}`));
    ids.push(await ben.send('vault', 'inside', `secret ${round}`), await ben.sendTo([ben], 'note'));
    ids.push(await ben.send('cell', 'alone', `protected ${round}`));
  }
  await create(ben, 'cell', [cleo.userId]);
  ids.push(await ben.send('cell', 'alone', 'both'));
  await ann.ok('PATCH', `/messages/${ids[0]}`, { content: 'edited' });
  await ann.ok('PATCH', `/messages/${ids[7]}`, { topic: 'moved', propagate_mode: 'change_later' });
  await ann.ok('PATCH', `/messages/${ids[14]}`, { stream_id: channels[1], propagate_mode: 'change_all' });
  for (const client of [ben, cleo]) await client.ok('POST', `/messages/${ids[0]}/reactions`, { emoji_name: 'tada' });
  await ben.ok('DELETE', `/messages/${ids[0]}/reactions`, { emoji_name: 'tada' });
  await owner.ok('DELETE', `/messages/${ids[8]}`);
  await cleo.ok('POST', '/messages/flags', { messages: ids.slice(2, 4), op: 'add', flag: 'starred' });
  await cleo.ok('POST', '/messages/flags', { messages: ids.slice(2, 4), op: 'add', flag: 'read' });
  await ann.ok('POST', '/mark_topic_as_read', { stream_id: channels[0], topic_name: 'topic 0' });
  await cleo.ok('DELETE', '/users/me/subscriptions', { subscriptions: ['den'] });

  const window = { anchor: 'newest', num_before: 500, num_after: 0 };
  const narrows: unknown[] = [
    [],
    [['channel', 'den']],
    [['channel', 'vault']],
    [['channel', 'cell']],
    [
      ['channel', 'den'],
      ['topic', 'topic 1'],
    ],
    [
      ['channel', 'den'],
      ['topic', ''],
    ],
    [['channels', 'public']],
    [['is', 'dm']],
    [['is', 'starred']],
    [['is', 'unread']],
    [['is', 'mentioned']],
    [{ operator: 'dm', operand: [ann.userId, cleo.userId] }],
    [{ operator: 'dm-including', operand: ben.userId }],
    [{ operator: 'sender', operand: ben.userId }],
    [{ operator: 'sender', operand: ben.userId, negated: true }],
    [{ operator: 'id', operand: ids[0] }],
  ];
  questions = clients.flatMap((client): Question[] => [
    ...narrows.map((narrow): Question => [client, '/messages', { narrow, ...window }]),
    [client, '/messages', { anchor: 'first_unread', num_before: 3, num_after: 3 }],
    [
      client,
      '/messages',
      { anchor: ids[20], num_before: 5, num_after: 5, apply_markdown: false, client_gravatar: false },
    ],
    [client, '/messages', { anchor: 'oldest', num_before: 0, num_after: 10, allow_empty_topic_name: true }],
    [client, '/messages', { message_ids: ids }],
    ...ids.slice(0, 16).flatMap((id): Question[] => [
      [client, `/messages/${id}`, {}],
      [client, `/messages/${id}/history`, {}],
    ]),
    ...channels.slice(0, 3).flatMap((id): Question[] => [
      [client, `/users/me/${id}/topics`, {}],
      [client, `/users/me/${id}/topics`, { allow_empty_topic_name: true }],
      [client, `/streams/${id}`, {}],
      [client, `/streams/${id}/members`, {}],
    ]),
    [client, '/users', {}],
    [client, '/users/me', {}],
    [client, `/users/${ann.userId}`, { include_custom_profile_fields: true }],
    [client, '/users/me/subscriptions', { include_subscribers: 'true' }],
    [client, '/streams', { include_all: true, include_default: true }],
    [client, '/get_stream_id', { stream: 'den' }],
    [client, '/server_settings', {}],
  ]);
});
afterAll(() => server.stop());

test('the recorded session has answers', async () => {
  const answers = await ask();
  expect(answers.filter((answer) => answer.includes(' 200 ')).length).toBeGreaterThan(100);
  expect(answers.some((answer) => answer.includes('secret 3'))).toBe(true);
  expect(await ask()).toEqual(answers);
});

test('one projection is shown as in the list of all', async () => {
  const { participants, head } = await server.owner.ok('GET', '/operator/projections');
  const [{ name }] = participants;
  expect(await server.owner.ok('GET', `/operator/projections/${name}`)).toMatchObject({
    name,
    rebuildable: true,
    head,
  });
  expectRefusal(await server.owner.call('GET', '/operator/projections/nothing'), 'BAD_REQUEST', 404);
  expectRefusal(await clients[1]!.call('GET', '/operator/projections/messages'), 'UNAUTHORIZED_PRINCIPAL');
});

test('a projection that is built anew is equal to the live one, which stays', async () => {
  const { participants } = await server.owner.ok('GET', '/operator/projections');
  const all = participants.filter((one: any) => one.rebuildable).map((one: any) => one.name as string);
  // Collections that are made and dropped take the shared store's server a second each.
  const names = isShared ? ['messages', 'conversations', 'due_timers'] : all;
  for (const name of names) {
    const compared = await server.owner.ok('POST', `/operator/projections/${name}/diff`);
    expect(compared).toMatchObject({ name, documents: expect.any(Number), position: expect.any(Number) });
    expect(compared).not.toHaveProperty('difference');
  }
  expect((await server.owner.ok('POST', '/operator/projections/messages/diff')).documents).toBeGreaterThan(40);
  expectRefusal(await server.owner.call('POST', '/operator/projections/nothing/diff'), 'BAD_REQUEST', 404);
  expectRefusal(await clients[1]!.call('POST', '/operator/projections/messages/diff'), 'UNAUTHORIZED_PRINCIPAL');
});

/** The address of the server is part of its settings, and its port changes with the restart. */
const settled = (answers: string[]): string[] =>
  answers.map((answer) => answer.replaceAll(/127\.0\.0\.1:\d+/g, 'HERE'));

/** To stores that it is not on, and back, as an operator would move it. */
(isShared ? describe.skip : describeShared)('a log that is copied', () => {
  async function copy(from: string, to: string): Promise<void> {
    const [source, target] = [
      await openEventStore(from, scrollback.registry),
      await openEventStore(to, scrollback.registry),
    ];
    await copyLog(source, target);
    await source.close();
    await target.close();
  }

  test('gives the same answers on other stores, and on the first kind again', async () => {
    const there = await openSharedStores();
    const { EVENT_STORE_URL = '', READ_STORE_URL = '' } = there.environment;
    const [here, back] = ['events.db', 'back.db'].map((name) => `sqlite:${join(server.dataDir, name)}`) as [
      string,
      string,
    ];
    const before = settled(await ask());
    await server.restart(async () => {
      await copy(here, EVENT_STORE_URL);
      Object.assign(environment, { EVENT_STORE_URL, READ_STORE_URL });
    });
    expect(settled(await ask())).toEqual(before);
    await server.restart(async () => {
      await copy(EVENT_STORE_URL, back);
      environment['EVENT_STORE_URL'] = back;
      environment['READ_STORE_URL'] = `sqlite:${join(server.dataDir, 'back-read-models.db')}`;
    });
    expect(settled(await ask())).toEqual(before);
    await there.stop();
  });
});

test('without its read models the server starts, and answers byte by byte the same', async () => {
  const before = settled(await ask());
  await server.restart(() => server.forgetReadModels());
  const after = settled(await ask());
  for (const [index, answer] of after.entries()) expect(answer).toBe(before[index]);
});

const onFiles = isShared ? test.skip : test;

onFiles(
  'after a crash of the machine in the middle of writing, files that may be damaged are not trusted',
  async () => {
    const before = settled(await ask());
    await server.restart(() => {
      const path = readdirSync(server.dataDir).find((name) => name.endsWith('read-models.db'))!;
      const file = openSync(join(server.dataDir, path), 'r+');
      writeSync(file, Buffer.alloc(8_192, 'old'), 0, 8_192, 16_384);
      closeSync(file);
      writeFileSync(join(server.dataDir, `${path}.unsynced`), 'another run of the system\n');
    });
    const after = settled(await ask());
    for (const [index, answer] of after.entries()) expect(answer).toBe(before[index]);
    expect(readdirSync(server.dataDir).filter((name) => name.endsWith('.unsynced'))).toEqual([]);
  },
);

onFiles('exported and imported into an empty server, it answers the same', async () => {
  const before = settled(await ask());
  const [archive, there] = [join(server.dataDir, 'whole.zip'), join(server.dataDir, 'there')];
  const usual = { ...environment };
  await server.restart(async () => {
    await command('export', archive, '--data', server.dataDir);
    await command('import', archive, '--data', there);
    environment['EVENT_STORE_URL'] = `sqlite:${join(there, 'events.db')}`;
    environment['READ_STORE_URL'] = `sqlite:${join(there, 'read-models.db')}`;
    // Keys are not in the archive: the clients get theirs again.
    const store = await openEventStore(environment['EVENT_STORE_URL'], scrollback.registry);
    const issued = clients.map(({ userId, apiKey }) => {
      const hash = createHash('sha256').update(apiKey).digest('hex');
      return { id: randomUUID(), type: 'user.api-key-issued.v1', data: { userId, generation: 9, hash, at: 1 } };
    });
    await store.append(streams.organization, 'any', issued);
    await store.close();
  });
  const after = settled(await ask());
  for (const [index, answer] of after.entries()) expect(answer).toBe(before[index]);
  await server.restart(() => {
    for (const name of Object.keys(environment)) delete environment[name];
    Object.assign(environment, usual);
  });
});

/** Runs the command line in this process. */
async function command(...args: string[]): Promise<void> {
  const told: string[] = [];
  const terminal = {
    environment: { OWNER_PASSWORD: 'correct horse battery' },
    print: (line: string) => void told.push(line),
    tell: (line: string) => void told.push(line),
    onInterrupt: () => undefined,
  };
  const code = await runCommand(args, terminal);
  expect({ code, told }).toMatchObject({ code: 0 });
}

/** Against hanging only. On shared stores each of the projections is rebuilt in some seconds, and there are dozens. */
const WHILE_SERVING_LIMIT_MS = isShared ? 900_000 : 300_000;

test(
  'a rebuild of any projection while it serves changes no answer',
  async () => {
    const { participants } = await server.owner.ok('GET', '/operator/projections');
    const names: string[] = participants
      .filter(({ rebuildable }: { rebuildable: boolean }) => rebuildable)
      .map(({ name }: { name: string }) => name);
    expect(names.length).toBeGreaterThan(2);
    // What the sender's own channel changes is left out: the newest message of the owner, and of the public channels.
    questions = questions.filter(
      ([client, path, { narrow }]) =>
        client !== server.owner && path !== '/streams' && JSON.stringify(narrow) !== '[["channels","public"]]',
    );
    const before = await ask();
    const load = { goesOn: true };
    let sent = 0;
    const sender = (async () => {
      while (load.goesOn) {
        await server.owner.send(busy, 'load', `message ${++sent}`);
      }
    })();
    for (const [turn, name] of names.entries()) {
      const { events } = await server.owner.ok('POST', `/operator/projections/${name}/rebuild`);
      expect(events).toBeGreaterThan(60);
      const sentBefore = sent;
      // To answer them all beside the load takes seconds, and half a minute on shared stores: each rebuild has its share of them.
      const asksAll = isNightly && !isShared;
      const indexes = [...questions.keys()].filter((index) => asksAll || index % names.length === turn);
      const during = await ask(indexes.map((index) => questions[index]!));
      expect(during).toEqual(indexes.map((index) => before[index]));
      // Few questions may be answered sooner than one message is on the disk.
      await Promise.race([sender, until(() => sent > sentBefore)]);
    }
    load.goesOn = false;
    await sender;
    const after = await ask();
    for (const [index, answer] of after.entries()) expect(answer).toBe(before[index]);
    const all = {
      narrow: [
        ['channel', 'busy'],
        ['topic', 'load'],
      ],
      anchor: 'newest',
      num_before: 5000,
      num_after: 0,
    };
    expect((await server.owner.ok('GET', '/messages', all)).messages).toHaveLength(sent);
  },
  WHILE_SERVING_LIMIT_MS,
);

test('what a rebuild replaced takes its place again, with what was sent since, also after a restart', async () => {
  const [, ann] = clients as [ApiClient, ApiClient];
  const status = async (): Promise<any> => {
    const { participants } = await server.owner.ok('GET', '/operator/projections');
    return participants.find(({ name }: { name: string }) => name === 'messages');
  };
  const undo = '/operator/projections/messages/undo';
  const some = questions.filter((_, index) => index % 8 === 0);
  const keptBefore = (await status()).former?.replacedAtMs ?? 0;
  await server.owner.ok('POST', '/operator/projections/messages/rebuild');
  // On shared stores the projector tells its status once a second.
  await until(async () => (await status()).former?.replacedAtMs > keptBefore);
  const { former } = await status();
  expect(former.keptUntilMs - former.replacedAtMs).toBe(86_400_000);
  const id = await ann.send('den', 'since', 'after the rebuild');
  const before = await ask(some);
  expect(await server.owner.ok('POST', undo)).toMatchObject({ name: 'messages', replacedAtMs: former.replacedAtMs });
  for (const [index, answer] of (await ask(some)).entries()) expect(answer).toBe(before[index]);
  expect((await ann.ok('GET', `/messages/${id}`)).raw_content).toBe('after the rebuild');
  await ann.ok('PATCH', `/messages/${id}`, { content: 'edited since' });
  await server.restart();
  const again = await ask(some);
  expect((await server.owner.ok('POST', undo)).replacedAtMs).toBeGreaterThan(former.replacedAtMs);
  for (const [index, answer] of (await ask(some)).entries()) expect(answer).toBe(again[index]);
  expect((await ann.ok('GET', `/messages/${id}`)).raw_content).toBe('edited since');
  const compared = await server.owner.ok('POST', '/operator/projections/messages/diff');
  expect(compared).not.toHaveProperty('difference');
  expectRefusal(await server.owner.call('POST', '/operator/projections/nothing/undo'), 'BAD_REQUEST', 404);
  expectRefusal(await ann.call('POST', undo), 'UNAUTHORIZED_PRINCIPAL');
});

test('operators are owners', async () => {
  const [, ann] = clients;
  const { participants } = await server.owner.ok('GET', '/operator/projections');
  const refused = [
    await ann!.call('GET', '/operator/projections'),
    await ann!.call('POST', `/operator/projections/${participants[0].name}/rebuild`),
  ];
  for (const answer of refused) expectRefusal(answer, 'UNAUTHORIZED_PRINCIPAL');
  expectRefusal(await server.owner.call('POST', '/operator/projections/no_such/rebuild'), 'BAD_REQUEST', 404);
  const others = participants.filter(({ rebuildable }: { rebuildable: boolean }) => !rebuildable);
  expect(others.map(({ name }: { name: string }) => name)).toEqual(['feed']);
  expectRefusal(await server.owner.call('POST', '/operator/projections/feed/rebuild'), 'BAD_REQUEST', 400);
});
