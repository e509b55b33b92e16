import { setTimeout as pause } from 'node:timers/promises';
import { MongoNetworkError } from 'mongodb';
import { describeOnMongo, until } from '#testing';
import { MongoProxy } from './index.js';
import { failureOf, note, notesOf, ProxyFixture } from './proxy.fixture.js';

describeOnMongo('the connections of a proxy before MongoDB', (server) => {
  let fixture: ProxyFixture;
  let proxy: MongoProxy;

  beforeEach(async () => {
    fixture = await ProxyFixture.start(server.freshUrl());
    ({ proxy } = fixture);
  });

  afterEach(() => fixture.stop());

  test.each(['reset', 'end'] as const)('cuts all connections (%s), and serves new ones', async (how) => {
    const notes = fixture.notes();
    await notes.insertOne(note(1));
    proxy.faults.ignore({ command: 'find' });
    const waiting = failureOf(notes.findOne({ _id: 1 }));
    await until(() => proxy.connections.some(({ sent }) => sent.has('find notes')));
    const open = proxy.connections.length;
    expect(open).toBeGreaterThan(0);
    proxy.cut(how);
    expect(await waiting).toBeInstanceOf(MongoNetworkError);
    await until(async () => (await failureOf(notes.findOne({ _id: 1 }))) === undefined);
  });

  test('tells a reset from an end', async () => {
    const causes: string[] = [];
    for (const how of ['reset', 'end'] as const) {
      const notes = fixture.notes();
      proxy.faults.cutBefore({ command: 'find' }, how);
      causes.push(String((await failureOf(notes.findOne()))?.message));
    }
    expect(causes[0]).toMatch(/ECONNRESET/);
    expect(causes[1]).toMatch(/closed/);
  });

  test('cuts chosen connections alone', async () => {
    const [one, other] = [fixture.notes(), fixture.notes()];
    await one.insertOne(note(1));
    await other.countDocuments();
    proxy.faults.ignore({ command: 'find', times: 2 });
    const waiting = [failureOf(one.findOne()), failureOf(other.findOne())] as const;
    let isAnswered = false;
    void waiting[1].then(() => (isAnswered = true));
    const finding = (): number => proxy.connections.filter(({ sent }) => sent.has('find notes')).length;
    await until(() => finding() === 2);
    proxy.cut('reset', ({ sent }) => sent.has('insert notes'));
    expect(await waiting[0]).toBeInstanceOf(MongoNetworkError);
    await pause(50);
    expect(isAnswered).toBe(false);
    proxy.cut();
    await waiting[1];
  });

  test.each(['to server', 'to client'] as const)('holds bytes %s, and lets them go later', async (direction) => {
    const notes = fixture.notes();
    await notes.insertOne(note(1));
    proxy.hold(direction);
    let isAnswered = false;
    const inserting = notes.insertOne(note(2)).then(() => (isAnswered = true));
    if (direction === 'to client') await until(async () => (await fixture.stored()).length === 2);
    else await pause(100);
    expect(await fixture.stored()).toEqual(direction === 'to client' ? [1, 2] : [1]);
    expect(isAnswered).toBe(false);
    proxy.release();
    await inserting;
    expect(await fixture.stored()).toEqual([1, 2]);
  });

  test('delivers what was held although its sender has given up meanwhile', async () => {
    const notes = fixture.notes({ socketTimeoutMS: 500 });
    await notes.insertOne(note(1));
    proxy.hold('to server');
    expect(await failureOf(notes.insertOne(note(2)))).toBeInstanceOf(MongoNetworkError);
    expect(await fixture.stored()).toEqual([1]);
    proxy.release();
    await until(async () => (await fixture.stored()).length === 2);
  });

  test('holds one connection alone', async () => {
    const [one, other] = [fixture.notes(), fixture.notes()];
    await one.insertOne(note(1));
    await other.countDocuments();
    const held = proxy.connections.filter(({ sent }) => sent.has('insert notes'));
    expect(held).toHaveLength(1);
    held[0]?.hold('to server');
    const inserting = one.insertOne(note(2));
    expect(await other.countDocuments()).toBe(1);
    held[0]?.release();
    await inserting;
  });

  test('slows bytes: the same answer takes as long as its bytes do', async () => {
    const notes = fixture.notes();
    await notes.insertOne({ _id: 1, text: 'x'.repeat(20_000) });
    const took = async (): Promise<number> => {
      const sinceMs = performance.now();
      expect((await notes.findOne({ _id: 1 }))?.text).toHaveLength(20_000);
      return performance.now() - sinceMs;
    };
    await took();
    proxy.slow(100_000);
    expect(await took()).toBeGreaterThan(150);
    await proxy.heal();
    await took();
  });

  test('freezes: a new connection comes about and hears nothing until it thaws', async () => {
    const notes = fixture.notes();
    await notes.insertOne(note(1));
    proxy.freeze();
    let isAnswered = false;
    const asked = [notes.findOne({ _id: 1 }), fixture.notes().findOne({ _id: 1 })].map((finding) =>
      finding.finally(() => (isAnswered = true)),
    );
    const open = proxy.connections.length;
    await until(() => proxy.connections.length > open);
    await pause(100);
    expect(isAnswered).toBe(false);
    proxy.thaw();
    expect((await Promise.all(asked)).map((found) => found?._id)).toEqual([1, 1]);
  });

  test('refuses new connections while those that are open go on', async () => {
    const notes = fixture.notes();
    await notes.insertOne(note(1));
    proxy.refuse();
    expect(String(await failureOf(fixture.notes({ serverSelectionTimeoutMS: 200 }).findOne()))).toMatch(/ECONNREFUSED/);
    expect((await notes.findOne())?._id).toBe(1);
    await proxy.accept();
    expect((await fixture.notes().findOne())?._id).toBe(1);
  });

  test('passes on that the server is gone, and that it is back', async () => {
    const notes = fixture.notes();
    await notes.insertOne(note(1));
    const behind = await MongoProxy.start(proxy.url);
    const further = notesOf(fixture.client(behind.url, { serverSelectionTimeoutMS: 500 }));
    await further.findOne();
    await proxy.stop();
    expect(await failureOf(further.findOne())).toBeDefined();
    await proxy.accept();
    await until(async () => (await failureOf(further.findOne())) === undefined);
    await behind.stop();
  });
});
