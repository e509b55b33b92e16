import type { Call } from './calls.js';
import { longestChain } from './chain.js';

/** `process name place`, when it began and ended. */
function call(text: string, beganMs: number, endedMs: number, isEmpty = false): Call {
  const [process = '', name = '', place = ''] = text.split(' ');
  const kind = ['find', 'getMore', 'subscription'].includes(name) ? 'read' : 'write';
  return { process, store: 'MongoDB', name, place, kind, beganMs, endedMs, isEmpty };
}

function chainOf(calls: readonly Call[], untilMs = 100): readonly string[] {
  return longestChain(calls, 'api', 0, untilMs).map(({ call: { process, name, place } }) =>
    [process, name, place].join(' '),
  );
}

const barrier = call('api find journal', 0, 20);
const append = call('api append log', 20, 40);
const subscription = call('projector subscription log', 41, 41);
const decided = call('projector insert journal', 42, 62);
const told = call('projector insert signals', 62, 82);
const tail = call('api getMore signals', -500, 82);

test('a call waits for those that had ended in its process', () => {
  expect(chainOf([barrier, append])).toEqual(['api find journal', 'api append log']);
  expect(chainOf([barrier, call('api find state', 1, 21)])).toHaveLength(1);
  expect(chainOf([barrier, call('projector find state', 21, 41), call('api find state', 41, 61)])).toEqual([
    'api find journal',
    'api find state',
  ]);
});

test('a write is one step with its way to another process, however long that one had asked', () => {
  expect(chainOf([barrier, append, subscription, decided, told, tail])).toEqual([
    'api find journal',
    'projector subscription log',
    'projector insert journal',
    'api getMore signals',
  ]);
});

test('a read that found nothing tells of no write', () => {
  const empty = { ...tail, isEmpty: true };
  expect(chainOf([barrier, append, subscription, decided, told, empty])).toEqual([
    'api find journal',
    'api append log',
  ]);
});

test('a poll tells of a write like a tail does, and more polls make no longer chain', () => {
  const polls = [call('api find signals', 50, 70), call('api find signals', 71, 91)];
  expect(chainOf([barrier, append, subscription, decided, told, ...polls])).toHaveLength(5);
  expect(chainOf([append, subscription, decided, told, polls[1]!])).toEqual([
    'projector subscription log',
    'projector insert journal',
    'api find signals',
  ]);
});

test('a read that ends sooner than a call can take does not tell of the write', () => {
  const chain = (endedMs: number): readonly unknown[] =>
    longestChain([append, subscription, decided, told, { ...tail, endedMs }], 'api', 0, 100, 19);
  expect(chain(80)).toHaveLength(1);
  expect(chain(82)).toHaveLength(3);
});

test('calls from before the request, after its answer, or of others at its end do not count', () => {
  const before = call('api find state', -10, 10);
  const after = call('api find state', 85, 105);
  const documents = call('projector insert messages', 62, 82);
  const calls = [before, barrier, append, subscription, decided, documents, told, tail, after];
  expect(chainOf(calls)).toHaveLength(4);
  expect(chainOf(calls, 80)).toEqual(['api find journal', 'api append log']);
});
