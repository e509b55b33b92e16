import { messageIdOf } from '#event-store';
import type { MessageSent } from '#messages';
import { timersOf } from '#timers';
import type { WebhookEvent } from './webhook.events.js';

/** Identity of a call, and the name of its stream. */
export function callIdOf(messageId: number, botId: number): string {
  return `${messageId}-${botId}`;
}

export function partsOf(callId: string): { readonly messageId: number; readonly botId: number } {
  const [messageId = 0, botId = 0] = callId.split('-').map(Number);
  return { messageId, botId };
}

/** When the services of the bots that a message calls are called. */
export const webhookTimers = timersOf<MessageSent | WebhookEvent>('webhook', {
  'message.sent.v1': ({ revision, data: { calls = [], at } }) =>
    calls.map((botId) => ({ subject: callIdOf(messageIdOf(revision), botId), dueAt: at })),
  'webhook.calling.v1': ({ data: { callId, until } }) => [{ subject: callId, dueAt: until }],
  'webhook.postponed.v1': ({ data: { callId, until } }) => [{ subject: callId, dueAt: until }],
  'webhook.finished.v1': ({ data: { callId } }) => [{ subject: callId, dueAt: undefined }],
});
