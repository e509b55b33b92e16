import { EventEmitter } from 'node:events';
import { createLogger, type LogLevel } from '#http';
import { EndingSteps, endOnSignals } from './ending.js';

/** A process that has been told to end, what it logged, and the codes with which it exited. */
function told(end: (steps: EndingSteps) => Promise<void>, level: LogLevel = 'info') {
  const lines: { level: string; msg: string; steps: string[]; err?: { message: string; cause: string } }[] = [];
  const logger = createLogger(level, { write: (line) => void lines.push(JSON.parse(line)) });
  const codes: unknown[] = [];
  const process = Object.assign(new EventEmitter(), { exit: (code: unknown) => codes.push(code) as never });
  const steps = new EndingSteps();
  endOnSignals({ end: () => end(steps), steps, logger }, process as never);
  process.emit('SIGTERM');
  return { process, lines, codes };
}

beforeEach(() => {
  jest.useFakeTimers();
});

test('an end in time says nothing, and happens once', async () => {
  const end = jest.fn(() => Promise.resolve());
  const { process, lines, codes } = told(end);
  process.emit('SIGINT');
  await jest.advanceTimersByTimeAsync(0);
  expect(codes).toEqual([0]);
  expect(end).toHaveBeenCalledTimes(1);
  expect(lines).toEqual([]);
});

test('one that is cut off names the step in progress, and none that is over', async () => {
  const { lines, codes } = told(async (steps) => {
    await steps.run('projections', () => Promise.resolve());
    await steps.run('stores', () => steps.run('event store', () => new Promise(() => undefined)));
  });
  await jest.advanceTimersByTimeAsync(23_000);
  expect(codes).toEqual([]);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(codes).toEqual([1]);
  expect(lines).toMatchObject([{ level: 'fatal', steps: ['stores', 'event store'] }]);
});

test('a failure is logged with its cause', async () => {
  const { lines, codes } = told((steps) =>
    steps.run('event store', () => Promise.reject(new Error('away', { cause: new Error('reset') }))),
  );
  await jest.advanceTimersByTimeAsync(0);
  expect(codes).toEqual([1]);
  expect(lines).toMatchObject([{ level: 'error', err: { message: 'away', cause: 'Error: reset' } }]);
});

test('an error outside of promises is logged with the step, and the remaining steps are done', async () => {
  let close = (): void => undefined;
  const { process, lines, codes } = told((steps) =>
    steps.run('event store', () => new Promise<void>((resolve) => (close = resolve))),
  );
  process.emit('uncaughtException', new Error('a stream was reset'));
  await jest.advanceTimersByTimeAsync(0);
  expect(codes).toEqual([]);
  close();
  await jest.advanceTimersByTimeAsync(0);
  expect(codes).toEqual([1]);
  expect(lines).toMatchObject([{ level: 'error', steps: ['event store'], err: { message: 'a stream was reset' } }]);
});

describe('what the level of the log leaves out is a line of the standard error stream', () => {
  const stderr: string[] = [];
  beforeEach(() => {
    stderr.length = 0;
    jest.spyOn(console, 'error').mockImplementation((line: string) => void stderr.push(line));
  });

  test('of a failure, without what its error has besides texts', async () => {
    const failure = Object.assign(new Error('away\nfor long', { cause: new Error('reset') }), { row: 'contents' });
    const { codes, lines } = told(() => Promise.reject(failure), 'silent');
    told(() => Promise.reject(failure), 'fatal');
    await jest.advanceTimersByTimeAsync(0);
    expect([codes, lines]).toEqual([[1], []]);
    const line = 'An error while the process ends. Error: away for long (Error: reset)';
    expect(stderr).toEqual([line, line]);
  });

  test('of a failure that is the cause of its cause', async () => {
    const failure = new Error('away');
    failure.cause = new Error('reset', { cause: failure });
    expect(told(() => Promise.reject(failure), 'silent').codes).toEqual([]);
    await jest.advanceTimersByTimeAsync(0);
    expect(stderr).toEqual([expect.stringMatching(/Error: away \(Error: reset\) \(Error: away\)/)]);
  });

  test('of a failure whose cause is no error, without its content', async () => {
    const failure = new Error('away', { cause: 'contents' });
    expect(told(() => Promise.reject(failure), 'silent').codes).toEqual([]);
    await jest.advanceTimersByTimeAsync(0);
    expect(stderr).toEqual(['An error while the process ends. Error: away (A string was thrown.)']);
  });

  test('of an end that is cut off', async () => {
    const stuck = (steps: EndingSteps): Promise<void> => steps.run('stores', () => new Promise(() => undefined));
    const { codes, lines } = told(stuck, 'silent');
    expect(told(stuck, 'fatal').codes).toEqual([]);
    await jest.advanceTimersByTimeAsync(24_000);
    expect([codes, lines]).toEqual([[1], []]);
    expect(stderr).toEqual(['The process is cut off: it could not end in time. Step: stores.']);
  });
});
