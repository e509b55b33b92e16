import { until } from '#testing';
import { LogOutput, type LogSink } from './log-output.js';
import { createLogger } from './logging.js';

/** Accepts as many bytes as planned, or fails. */
class Sink implements LogSink {
  text = '';
  /** Outcomes of the next writes: the number of bytes accepted, or an error code. */
  readonly plan: (number | string)[] = [];
  /** Outcome of writes that are not planned. */
  usually: number | string = Infinity;
  attempts = 0;

  write(bytes: Buffer, done: Parameters<LogSink['write']>[1]): void {
    setImmediate(() => {
      try {
        done(null, this.writeSync(bytes));
      } catch (error) {
        done(error as NodeJS.ErrnoException, 0);
      }
    });
  }

  writeSync(bytes: Buffer): number {
    this.attempts++;
    const outcome = this.plan.shift() ?? this.usually;
    if (typeof outcome === 'string') throw Object.assign(new Error(outcome), { code: outcome });
    const taken = bytes.subarray(0, outcome);
    this.text += taken.toString();
    return taken.length;
  }

  get lines(): any[] {
    return this.text.split('\n').slice(0, -1);
  }
}

let sink: Sink;
let output: LogOutput;

beforeEach(() => {
  sink = new Sink();
  output = new LogOutput(sink);
});
afterEach(() => {
  output.close();
});

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await new Promise((next) => setImmediate(next));
};

const say = async (...lines: string[]): Promise<void> => {
  for (const line of lines) output.write(`${line}\n`);
  output.flush();
  await settled();
};

const noticeOf = (dropped: number) =>
  expect.stringMatching(new RegExp(`^{"level":"warn","time":"[-0-9T:.]+Z","dropped":${dropped},`));

test('lines are gathered into blocks, and written in order', async () => {
  const lines = Array.from({ length: 200 }, (_, n) => `line ${n} ${'x'.repeat(100)}`);
  for (const line of lines) output.write(`${line}\n`);
  await settled();
  expect(sink.attempts).toBeGreaterThan(0);
  await say();
  expect(sink.lines).toEqual(lines);
  expect(sink.attempts).toBeLessThan(10);
});

test('what a full disk does not take is dropped, and counted when there is room again', async () => {
  sink.usually = 'ENOSPC';
  await say('one', 'two');
  await say('three');
  for (let n = 0; n < 100_000; n++) output.write('more\n');
  await settled();
  expect(sink.lines).toEqual([]);
  // Not every line causes an attempt.
  expect(sink.attempts).toBeLessThan(5);
  sink.usually = Infinity;
  await say();
  await say('after');
  expect(sink.lines).toEqual([noticeOf(100_003), 'after']);
  await say('and again');
  expect(sink.lines.slice(2)).toEqual(['and again']);
});

test('half a line stays alone', async () => {
  sink.plan.push(7, 'ENOSPC', 'ENOSPC');
  await say('one', 'second', 'third');
  await say();
  await say();
  await say('after');
  expect(sink.lines).toEqual(['one', 'sec', noticeOf(2), 'after']);
});

test('a count that could not be told is told later', async () => {
  sink.plan.push('EIO', 20, 'EIO');
  await say('one');
  await say();
  await say();
  expect(sink.lines).toEqual([expect.any(String), noticeOf(1)]);
});

test('a reader that is slow gets everything, bit by bit, and what is too much is counted', async () => {
  sink.plan.push(3, 'EAGAIN', 'EAGAIN', 1);
  await say('first');
  await until(() => sink.text === 'first\n');
  sink.usually = 'EAGAIN';
  const line = 'x'.repeat(999);
  for (let n = 0; n < 3000; n++) output.write(`${line}\n`);
  const { attempts } = sink;
  await settled();
  expect(sink.attempts - attempts).toBeLessThan(10);
  sink.usually = Infinity;
  await until(async () => {
    await say();
    return sink.lines.length > 1000;
  });
  const dropped = 3000 - sink.lines.filter((text) => text === line).length;
  expect(dropped).toBeGreaterThan(1000);
  expect(dropped).toBeLessThan(2500);
  expect(sink.lines.filter((text) => text !== line && text !== 'first')).toEqual([noticeOf(dropped)]);
});

test('a line that came while the reader was slow is written by itself, however long that took', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
  sink.usually = 'EAGAIN';
  await say('first');
  output.write('second\n');
  for (let ms = 0; ms < 3000; ms += 50) {
    jest.advanceTimersByTime(50);
    await settled();
  }
  sink.usually = Infinity;
  for (let ms = 0; ms < 3000; ms += 50) {
    jest.advanceTimersByTime(50);
    await settled();
  }
  expect(sink.lines).toEqual(['first', 'second']);
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
});

test.each([
  ['the disk is full', 'ENOSPC'],
  ['the reader is gone', 'EPIPE'],
  ['the reader does not read', 'EAGAIN'],
])('the end of the process does not wait when %s', (_, code) => {
  sink.usually = code;
  output.write('last\n');
  output.close();
  expect(sink.attempts).toBeGreaterThan(0);
  expect(sink.text).toBe('');
});

test('the end of the process writes what waits', () => {
  output.write('last\n');
  sink.plan.push(2, 'EAGAIN');
  output.close();
  expect(sink.lines).toEqual(['last']);
});

test('a fatal line does not block', () => {
  sink.usually = 'EAGAIN';
  createLogger('info', output).fatal('no more');
  expect(sink.attempts).toBe(0);
});
