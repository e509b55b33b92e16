import { createServer } from 'node:net';
import { notReady } from '#read-store';
import { fetch } from '#testing';
import { PlainServer } from './plain-server.js';
import { SettingsError } from './settings/settings.js';
import { STARTING, StartProgress } from './start-progress.js';

const quiet = { info: () => undefined };
const reading = { events: 10, position: 20, head: 100, elapsedMs: 1_000, eventsPerSecond: 10, secondsLeft: 8 };

async function asked(
  progress: StartProgress,
  path: string,
): Promise<{ status: number; retry: string | null; body: any }> {
  const server = await PlainServer.listen('127.0.0.1', 0, () => progress.refusal, notReady(STARTING));
  try {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`);
    return { status: answer.status, retry: answer.headers.get('retry-after'), body: await answer.json() };
  } finally {
    await server.close();
    progress.end();
  }
}

test('a process that starts is alive, and says how far it has come', async () => {
  const progress = new StartProgress(quiet);
  progress.reads(() => reading);
  expect(await asked(progress, '/health/live')).toMatchObject({ status: 200, body: { status: 'live' } });
  expect(await asked(progress, '/health/ready')).toEqual({
    status: 503,
    retry: '1',
    body: {
      result: 'error',
      msg: STARTING,
      code: 'SERVER_NOT_READY',
      phase: 'read_models',
      position: 20,
      head: 100,
      rate: 10,
      estimate: 8,
    },
  });
});

test('the rest is refused, without details', async () => {
  const progress = new StartProgress(quiet);
  progress.reads(() => reading);
  for (const path of ['/', '/api/v1/messages', '/metrics'])
    expect(await asked(progress, path)).toEqual({
      status: 503,
      retry: '1',
      body: { result: 'error', msg: STARTING, code: 'SERVER_NOT_READY' },
    });
});

test('a browser gets a page that asks again by itself, and nothing else in it', async () => {
  const server = await PlainServer.listen('127.0.0.1', 0, () => undefined, notReady(STARTING));
  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const answer = await fetch(`http://127.0.0.1:${server.port}/`, { headers: { accept } });
  expect([answer.status, answer.headers.get('retry-after'), answer.headers.get('vary')]).toEqual([503, '1', 'accept']);
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none'/);
  const text = await answer.text();
  expect(text).toContain('<meta http-equiv="refresh" content="2" />');
  expect(text).toContain(STARTING);
  const posted = await fetch(`http://127.0.0.1:${server.port}/`, { method: 'POST', headers: { accept } });
  expect(await posted.json()).toMatchObject({ code: 'SERVER_NOT_READY' });
  await server.close();
});

test('nothing is said of positions before the log is read, and no estimate is made up', () => {
  const progress = new StartProgress(quiet);
  expect(progress.data).toEqual({ phase: 'opening' });
  const { secondsLeft: _, ...unknown } = reading;
  progress.reads(() => unknown);
  expect(progress.data).toMatchObject({ estimate: null });
  progress.enters('finishing');
  expect(progress.data).toEqual({ phase: 'finishing' });
  progress.end();
});

test('the log has a line every five seconds while the log is read', () => {
  jest.useFakeTimers();
  const lines: unknown[] = [];
  const progress = new StartProgress({ info: (line: unknown) => void lines.push(line) } as never);
  jest.advanceTimersByTime(5_000);
  progress.reads(() => reading);
  jest.advanceTimersByTime(10_000);
  progress.end();
  jest.advanceTimersByTime(10_000);
  jest.useRealTimers();
  expect(lines).toEqual(Array(2).fill({ position: 20, head: 100, rate: 10, estimate: 8 }));
});

test('an address that is taken is named', async () => {
  const other = createServer();
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
  const { port } = other.address() as { port: number };
  const listening = PlainServer.listen('127.0.0.1', port, () => undefined, notReady(STARTING));
  await expect(listening).rejects.toThrow(SettingsError);
  await new Promise((closed) => other.close(closed));
});
