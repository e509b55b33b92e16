import { type Span, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { Refusal } from '#kernel';
import { OpenTelemetrySpans } from './open-telemetry-spans.js';

const world = globalThis as Record<symbol, unknown>;
const REGISTERED = Symbol.for('opentelemetry.js.api.1');
/** Disabling leaves the note of a registration behind, also that of a suite that ran before in this process. */
const forget = () => {
  trace.disable();
  Reflect.deleteProperty(world, REGISTERED);
};

let told: string[];
const open = () => OpenTelemetrySpans.open('1.2.3', (text) => told.push(text));

/** What happened to the spans, in order. */
let log: string[];
const span = {
  spanContext: () => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1 }),
  setAttribute: (name: string, value: string) => log.push(`${name}=${value}`),
  setStatus: ({ code }: { code: SpanStatusCode }) => log.push(SpanStatusCode[code]),
  end: () => log.push('end'),
} as unknown as Span;
const tracer = {
  startSpan: () => span,
  startActiveSpan: (_name: string, _options: object, work: (begun: Span) => unknown) => work(span),
} as unknown as Tracer;

beforeEach(() => {
  forget();
  told = [];
  log = [];
});
afterEach(forget);

test('without an SDK there are no spans, and nothing is told', () => {
  expect(open()).toBeUndefined();
  expect(told).toEqual([]);
});

test('an SDK for another version of the API is told of', () => {
  world[REGISTERED] = { version: '0.0.1' };
  expect(open()).toBeUndefined();
  expect(told).toEqual([expect.stringContaining('0.0.1')]);
});

test('a span ends with its work, which shows how it ended and nothing of what it says', async () => {
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  const spans = open()!;
  log = [];
  expect(spans.run('decide', () => 7)).toBe(7);
  expect(log.splice(0)).toEqual(['end']);
  let finish: (value: string) => void = () => undefined;
  const working = spans.run('append', () => new Promise<string>((resolve) => (finish = resolve)));
  expect(log).toEqual([]);
  finish('done');
  await expect(working).resolves.toBe('done');
  expect(log.splice(0)).toEqual(['end']);
  const refuse = (): never => {
    throw new Refusal('BAD_REQUEST', 'secret');
  };
  expect(() => spans.run('decide', refuse)).toThrow(Refusal);
  expect(log.splice(0)).toEqual(['error.type=BAD_REQUEST', 'end']);
  await expect(spans.run('wait', () => Promise.reject(new TypeError('secret')))).rejects.toThrow(TypeError);
  expect(log.splice(0)).toEqual(['error.type=TypeError', 'ERROR', 'end']);
});
