import { connect } from 'node:net';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { describeOnMongo, until } from '#testing';
import { MongoProxy, type ErrorName } from './index.js';
import { failureOf, note, notesOf, ProxyFixture, type Note } from './proxy.fixture.js';

describeOnMongo('the proxy before MongoDB', (server) => {
  let fixture: ProxyFixture;
  let proxy: MongoProxy;

  beforeEach(async () => {
    fixture = await ProxyFixture.start(server.freshUrl());
    ({ proxy } = fixture);
  });

  afterEach(() => fixture.stop());

  test('passes everything on: commands, sequences of documents, cursors, and large documents', async () => {
    const notes = fixture.notes({ maxPoolSize: 5 });
    await notes.insertMany(Array.from({ length: 300 }, (_, index) => note(index)));
    await notes.insertOne({ _id: 300, text: 'x'.repeat(5_000_000) });
    expect(await notes.countDocuments()).toBe(301);
    expect(
      await notes
        .find({}, { batchSize: 7 })
        .sort({ _id: 1 })
        .map(({ _id }) => _id)
        .toArray(),
    ).toEqual(await fixture.stored());
    expect((await notes.findOne({ _id: 300 }))?.text).toHaveLength(5_000_000);
    const parallel = await Promise.all(Array.from({ length: 50 }, (_, index) => notes.findOne({ _id: index })));
    expect(parallel.map((found) => found?.text)).toEqual(parallel.map((_, index) => `note ${index}`));
  });

  test('is all that clients know of: no member of a replica set is named beside it', async () => {
    const through = fixture.client(proxy.url);
    const { hosts, me, primary } = await through.db('admin').command({ hello: 1 });
    const told = [hosts, me, primary].flat().filter((name) => name !== undefined);
    for (const name of told) expect(proxy.url).toContain(name);
    await notesOf(through).insertOne(note(1));
    expect(proxy.connections.some(({ sent }) => sent.has('insert notes'))).toBe(true);
  });

  const errors: readonly (readonly [ErrorName, number])[] = [
    ['WriteConflict', 112],
    ['NotWritablePrimary', 10107],
    ['InterruptedDueToReplStateChange', 11602],
    ['MaxTimeMSExpired', 50],
  ];

  test.each(errors)('answers a chosen command with %s (%i), so many times, and does not do it', async (name, code) => {
    const notes = fixture.notes();
    await notes.insertOne(note(1));
    const fault = proxy.faults.refuse({ command: 'insert', collection: 'notes', times: 2 }, name);
    await fixture.client(proxy.url).db().collection<Note>('others').insertOne(note(1));
    for (const _id of [2, 3]) {
      const error = await failureOf(notes.insertOne(note(_id)));
      expect(error).toBeInstanceOf(MongoServerError);
      expect(error).toMatchObject({ code, codeName: name });
    }
    expect(fault.struck).toBe(2);
    await until(async () => (await failureOf(notes.insertOne(note(4)))) === undefined);
    expect(await fixture.stored()).toEqual([1, 4]);
  });

  test('finds collections by pattern', async () => {
    const notes = fixture.notes();
    const fault = proxy.faults.refuse({ command: 'insert', collection: /^no/ }, 'WriteConflict');
    expect(await failureOf(notes.insertOne(note(1)))).toMatchObject({ code: 112 });
    await notes.insertOne(note(2));
    expect(fault.struck).toBe(1);
  });

  test('leaves no socket behind, whatever the order of cuts: Node never ends with one that it could not reset', async () => {
    const open = proxy.connections.length;
    for (const cuts of [['end', 'reset'], ['reset', 'end'], ['end', 'end'], ['reset']] as const) {
      const client = connect(Number(/:(\d+)/.exec(proxy.url)?.[1]), '127.0.0.1').on('error', () => undefined);
      await until(() => proxy.connections.length === open + 1);
      for (const how of cuts) proxy.connections.at(-1)?.cut(how);
      client.destroy();
      await until(() => proxy.connections.length === open);
    }
  });

  test.each(['reset', 'end'] as const)('loses the answer of a write that was done (%s)', async (how) => {
    const notes = fixture.notes();
    await notes.insertOne(note(1));
    const fault = proxy.faults.loseAnswer({ command: 'insert' }, how);
    expect(await failureOf(notes.insertOne(note(2)))).toBeInstanceOf(MongoNetworkError);
    expect(fault.struck).toBe(1);
    expect(await fixture.stored()).toEqual([1, 2]);
  });

  test('cuts a connection before the write is done', async () => {
    const notes = fixture.notes();
    await notes.insertOne(note(1));
    proxy.faults.cutBefore({ command: 'insert' });
    expect(await failureOf(notes.insertOne(note(2)))).toBeInstanceOf(MongoNetworkError);
    await until(async () => (await failureOf(notes.insertOne(note(3)))) === undefined);
    expect(await fixture.stored()).toEqual([1, 3]);
  });

  test('never answers a command, and goes on with others', async () => {
    const notes = fixture.notes({ maxPoolSize: 2 });
    await notes.insertOne(note(1));
    proxy.faults.ignore({ command: 'find' });
    let isAnswered = false;
    const waiting = failureOf(notes.findOne()).then(() => (isAnswered = true));
    expect(await notes.countDocuments()).toBe(1);
    expect((await notes.findOne())?._id).toBe(1);
    expect(isAnswered).toBe(false);
    proxy.cut();
    await waiting;
  });

  test('holds a connection from a chosen command on', async () => {
    const notes = fixture.notes();
    await notes.insertOne(note(1));
    proxy.faults.hold({ command: 'insert' });
    const inserting = notes.insertOne(note(2));
    const others = fixture.notes();
    expect(await others.countDocuments()).toBe(1);
    proxy.release();
    await inserting;
    expect(await fixture.stored()).toEqual([1, 2]);
  });

  test('ends cursors: as lost, or as exhausted', async () => {
    const notes = fixture.notes();
    await notes.insertMany(Array.from({ length: 10 }, (_, index) => note(index)));
    const all = (): Promise<Note[]> => notes.find({}, { batchSize: 4 }).toArray();
    proxy.faults.endCursors('lost', { collection: 'notes' });
    expect(await failureOf(all())).toMatchObject({ code: 43, codeName: 'CursorNotFound' });
    proxy.faults.endCursors('exhausted');
    expect(await all()).toHaveLength(4);
    expect(await all()).toHaveLength(10);
  });
});

describe('the address of a proxy', () => {
  test('refuses what it cannot stand before, without telling the password', async () => {
    for (const url of ['mongodb+srv://u:s3cret@host/', 'mongodb://u:s3cret@host/?tls=true', 's3cret']) {
      const failure: unknown = await MongoProxy.start(url).catch((error: unknown) => error);
      expect(String(failure)).toMatch(/without TLS/);
      expect(String(failure)).not.toContain('s3cret');
    }
  });
});
