import type { RecordedEvent } from '#event-store';
import { failureOf, ParticipantFailed } from './failures.js';

const event = (data: object, position = 7): RecordedEvent => ({
  ...{ position, stream: '1.messages', revision: 0, id: 'b2d6', type: 'message.sent.v1', data, metadata: {} },
  recordedAtMs: 0,
});

/** What the runtime says when `work` throws. */
function thrown(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('the message names the event, and where the projection failed', () => {
  const failed = new ParticipantFailed('sums', event({ content: 'soup' }), new Error('There is no sum.'));
  expect(failed.message).toBe(
    'sums failed on message.sent.v1 at position 7 of 1.messages (b2d6): Error: There is no sum.',
  );
  expect(failed.stack).toContain('failures.spec');
  expect(failureOf(failed)).toEqual({
    ...{ reason: 'Error: There is no sum.', participant: 'sums', position: 7, stream: '1.messages' },
    ...{ type: 'message.sent.v1', id: 'b2d6' },
  });
});

test.each<[string, (content: any) => unknown]>([
  ['a message of the runtime that quotes a value', (content) => 'x' in content],
  ['an assignment to a text', (content) => (content.x = 1)],
  ['a piece of malformed JSON', (content) => JSON.parse(content) as unknown],
  ['a text in JSON', (content) => new Error(JSON.stringify({ content, to: [77, 5], topic: 'ab' }))],
  ['a message of a driver', (content) => new Error(`E11000 duplicate key { _id: "${content}" }`)],
  ['a key that is made of the text', (content: string) => new Error(`no index for '${content.toUpperCase()}'`)],
  ['a word of the text in an index', () => new Error('E11000 duplicate key { words: "secret" }')],
])('%s: nothing of the contents is in it, nor in its properties', (_, work) => {
  const content = 'our secret plan';
  const batch = [event({ content: 'another' }), event({ place: [{ content, to: [77, 5], topic: 'ab' }] }, 9)];
  const error = thrown(() => work(content));
  expect(error).toBeInstanceOf(Error);
  const failed = new ParticipantFailed('sums', batch[0]!, error, batch);
  for (const text of [failed.message, failed.stack, JSON.stringify(failed), JSON.stringify(failureOf(failed))])
    expect(text).not.toMatch(/secret|plan|\b77\b|"ab"/i);
  expect(failed.throughPosition).toBe(9);
});
