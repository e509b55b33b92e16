import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '#kernel';
import { MemoryKeyValueStore, until } from '#testing';
import type { EngineStatus, RebuildProgress } from './engine/engine-status.js';
import { ProjectorHeartbeat, ProjectorMonitor } from './projector-heartbeat.js';

class SlowSideStore extends MemoryKeyValueStore {
  /** Delay of each write of an order or its outcome. */
  slowMs = 0;

  override async put(kind: string, id: string, value: JsonObject): Promise<void> {
    if (kind === 'rebuilds') await pause(this.slowMs);
    await super.put(kind, id, value);
  }
}

const PROGRESS: RebuildProgress = { name: 'messages', events: 1, position: 1, head: 1, elapsedMs: 1 };

/** Engine whose rebuilds end on demand. */
class Engine {
  begun = 0;
  end: (error?: Error) => void = () => undefined;

  status(): EngineStatus {
    const participant = {
      ...{ name: 'messages', rebuildable: true },
      ...{ position: 1, lagEvents: 0, handled: 1, eventsPerSecond: 0 },
    };
    const follower = { ...participant, name: 'feed', rebuildable: false };
    const numbers = { position: 1, head: 1, lagEvents: 0, lagMs: 0, waiting: 0 };
    return { state: 'live', ...numbers, participants: [participant, follower], rebuilds: [] };
  }

  rebuild(): Promise<RebuildProgress> {
    this.begun++;
    return new Promise((resolve, reject) => {
      this.end = (error) => {
        if (error === undefined) resolve(PROGRESS);
        else reject(error);
      };
    });
  }
}

describe('orders to rebuild', () => {
  let side: SlowSideStore;
  let watch: ProjectorMonitor;
  const signs: ProjectorHeartbeat[] = [];
  const fail = (error: unknown): void => {
    throw error;
  };

  const lead = (engine: Engine, term: number): ProjectorHeartbeat => {
    const sign = new ProjectorHeartbeat(side, engine, { holder: `holder ${term}`, term }, fail);
    signs.push(sign);
    sign.start();
    return sign;
  };

  beforeEach(async () => {
    side = new SlowSideStore();
    watch = new ProjectorMonitor(side, fail);
    await watch.start();
  });
  afterEach(async () => {
    await watch.stop();
    for (const sign of signs.splice(0)) await sign.stop();
  });

  test('are carried out once, however slowly they are written down', async () => {
    const engine = new Engine();
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    side.slowMs = 1_200;
    const rebuilt = watch.rebuild('messages');
    await until(() => engine.begun > 0);
    await pause(1_500);
    side.slowMs = 0;
    expect(engine.begun).toBe(1);
    engine.end();
    await expect(rebuilt).resolves.toEqual(PROGRESS);
  });

  test('are refused for what the status does not say can be rebuilt', async () => {
    const engine = new Engine();
    lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    await expect(watch.rebuild('feed')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    await expect(watch.rebuild('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(engine.begun).toBe(0);
  });

  test('are refused when they fail, and when their projector is gone', async () => {
    const engine = new Engine();
    const first = lead(engine, 1);
    await until(() => watch.complaint() === undefined);
    const failing = watch.rebuild('messages');
    await until(() => engine.begun === 1);
    engine.end(new Error('no'));
    await expect(failing).rejects.toThrow('stays live');
    const orphaned = watch.rebuild('messages');
    await until(() => engine.begun === 2);
    await first.stop();
    lead(new Engine(), 2);
    await expect(orphaned).rejects.toThrow('ask again');
  });
});

describe('when errors cannot be told', () => {
  const broken = (): never => {
    throw new Error('nobody listens');
  };
  beforeEach(() => {
    jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  });

  test('the heartbeat goes on after one', async () => {
    const side = new MemoryKeyValueStore();
    const put = jest.spyOn(side, 'put').mockRejectedValueOnce(new Error('away'));
    const heartbeat = new ProjectorHeartbeat(side, new Engine(), { holder: 'me', term: 1 }, broken);
    heartbeat.start();
    await until(() => put.mock.calls.length >= 2);
    await heartbeat.stop();
  });

  test('the monitor goes on after one', async () => {
    const side = new MemoryKeyValueStore();
    const watch = new ProjectorMonitor(side, broken);
    await watch.start();
    const get = jest.spyOn(side, 'get').mockRejectedValueOnce(new Error('away'));
    await until(() => get.mock.calls.length >= 2);
    await watch.stop();
  });
});
