import fc from 'fast-check';
import { type RecordedEvent, streams } from '#event-store';
import { Directory } from '#people';
import { preferencesPart } from '#preferences/model';
import { recipientIdOf } from './recipient-id.js';

/** Clients with integers of 32 bits. */
const LIMIT = 2 ** 31;

/** Participants of each message, ascending; nobody for one in a channel. */
const sends = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { maxLength: 4 }), { maxLength: 40 });

const logOf = (messages: readonly (readonly number[])[]): readonly RecordedEvent[] =>
  messages.map((participants, revision) => {
    const data = participants.length === 0 ? { channelId: 1 } : { to: participants.toSorted((a, b) => a - b) };
    const position = revision * 7 + 1;
    return { stream: streams.messages, type: 'message.sent.v1', revision, position, data } as unknown as RecordedEvent;
  });

function folded(log: readonly RecordedEvent[], directory = new Directory([preferencesPart])): Directory {
  for (const event of log) directory.apply(event);
  return directory;
}

function idsIn(directory: Directory, log: readonly RecordedEvent[]): ReadonlyMap<string, number> {
  return new Map(
    log.flatMap(({ data }) => {
      const { to: participants } = data as { readonly to?: readonly number[] };
      return participants === undefined ? [] : [[participants.join(), recipientIdOf(directory, { participants })]];
    }),
  );
}

test('conversations, notes to oneself and channels have IDs of their own', () => {
  const property = fc.property(sends, (messages) => {
    const log = logOf(messages);
    const directory = folded(log);
    const channels = Array.from({ length: 100 }, (_, index) => recipientIdOf(directory, { channelId: index + 1 }));
    const ids = [...idsIn(directory, log).values(), ...channels];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => Number.isSafeInteger(id) && id > 0 && id < LIMIT)).toBe(true);
  });
  fc.assert(property);
});

test('they are the same at each event, and after a start from any snapshot', () => {
  const property = fc.property(sends, fc.nat(40), (messages, cut) => {
    const log = logOf(messages);
    const whole = idsIn(folded(log), log);
    const growing = new Directory([preferencesPart]);
    for (const [index, event] of log.entries()) {
      growing.apply(event);
      const soFar = idsIn(growing, log.slice(0, index + 1));
      expect([...soFar].every(([participants, id]) => whole.get(participants) === id)).toBe(true);
    }
    const restored = new Directory([preferencesPart]);
    restored.restore(JSON.parse(JSON.stringify(folded(log.slice(0, cut)).snapshot())));
    expect(idsIn(folded(log.slice(cut), restored), log)).toEqual(whole);
  });
  fc.assert(property);
});

test('they stay below 2^31 up to half a billion of each', () => {
  const many = 2 ** 29 - 1;
  const directory = { conversationNumber: () => many };
  const ids = [{ channelId: many }, { participants: [many] }, { participants: [1, many] }].map((conversation) =>
    recipientIdOf(directory, conversation),
  );
  expect(ids).toEqual([2 ** 30 - 2, LIMIT - 1, LIMIT - 3]);
});
