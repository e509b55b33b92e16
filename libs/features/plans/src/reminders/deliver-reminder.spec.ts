import type { Decisions } from '#feature';
import { Refusal } from '#kernel';
import type { MessageSender } from '#messages';
import type { Directory } from '#people';
import type { ReadableMessages } from '#reading';
import { OpenGate, sampleUser } from '#testing';
import { DeliverReminder } from './deliver-reminder.js';
import type { RemindersReader } from './reminders.reader.js';

const ANN = sampleUser(4);
const data = { userId: ANN.userId, reminderId: 1, at: 10, entails: 'delivery' } as const;
const cause = { type: 'reminder.due.v1', key: '1.plans-4@1', stream: '1.plans-4', revision: 1, data };

/** Delivers a reminder of a message that is not found. @returns what was done for good */
async function deliver({
  isPutBack,
  isRefused = false,
}: {
  isPutBack: boolean;
  isRefused?: boolean;
}): Promise<string[]> {
  const gate = new OpenGate();
  const done: string[] = [];
  const directory = { user: () => ANN, systemBot: () => sampleUser(1) } as unknown as Directory;
  const reader = { get: async () => ({ messageId: 7, phase: 'due' }) } as unknown as RemindersReader;
  const messages = {
    find: async () => {
      if (!isRefused) gate.isWhole = !isPutBack;
      return undefined;
    },
  } as unknown as ReadableMessages;
  const sender = {
    sendOnce: async (_bot: unknown, _name: string, { content }: { readonly content: string }) => {
      gate.isWhole = !isPutBack;
      if (isRefused) throw new Refusal('BAD_REQUEST', 'It is too long.');
      done.push(content);
    },
    wasSent: async () => false,
  } as unknown as MessageSender;
  const decisions = { carryThrough: async () => done.push('finished') } as unknown as Decisions;
  const delivery = new DeliverReminder(directory, reader, messages, sender, decisions);
  await delivery.carryOut(cause, await gate.enter()).catch((error: unknown) => done.push((error as Refusal).code));
  return done;
}

test('a message that is gone is said to be gone', async () => {
  expect(await deliver({ isPutBack: false })).toEqual([expect.stringContaining('was deleted'), 'finished']);
});

test('a message that is not found in read models that are put back is not said to be gone', async () => {
  expect(await deliver({ isPutBack: true })).toEqual(['SERVER_NOT_READY']);
});

test('a delivery is not given up by read models that are put back', async () => {
  expect(await deliver({ isPutBack: false, isRefused: true })).toEqual(['finished']);
  expect(await deliver({ isPutBack: true, isRefused: true })).toEqual(['SERVER_NOT_READY']);
});
