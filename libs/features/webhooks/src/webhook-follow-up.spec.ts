import { Refusal } from '#kernel';
import type { MessageSender } from '#messages';
import type { Directory } from '#people';
import type { ReadableMessages } from '#reading';
import { OpenGate, sampleUser } from '#testing';
import { WebhookFollowUp } from './webhook-follow-up.js';

const OWNER = sampleUser(4);
const BOT = sampleUser(5, { botType: 3, botOwnerId: OWNER.userId });
const data = { callId: '7-5', entails: { reply: 'Here you are.' }, at: 10 };
const cause = { type: 'webhook.finished.v1', key: '1.webhook-7-5@1', stream: '1.webhook-7-5', revision: 1, data };

test.each([
  [true, ['told']],
  [false, ['SERVER_NOT_READY']],
])('an owner hears of a refusal only by whole read models (%p)', async (isWhole, outcome) => {
  const gate = new OpenGate();
  const done: string[] = [];
  const directory = { user: (id: number) => (id === BOT.userId ? BOT : OWNER) } as unknown as Directory;
  const place = { channelId: 1 };
  const readable = { find: async () => ({ place, topic: 'lunch' }) } as unknown as ReadableMessages;
  const sender = {
    sendOnce: async (_by: unknown, name: string) => {
      if (name.endsWith(':failure')) {
        done.push('told');
        return;
      }
      // The topic is asked for meanwhile.
      gate.isWhole = isWhole;
      throw new Refusal('BAD_REQUEST', 'You may not begin topics.');
    },
  } as unknown as MessageSender;
  const followUp = new WebhookFollowUp(directory, readable, sender);
  await followUp.carryOut(cause, await gate.enter()).catch((error: unknown) => done.push((error as Refusal).code));
  expect(done).toEqual(outcome);
});
