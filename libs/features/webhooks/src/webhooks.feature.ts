import { defineFeature, PendingWork } from '#feature';
import { CallService } from './call-service.js';
import { PendingCalls } from './pending-calls.js';
import { WebhookFollowUp } from './webhook-follow-up.js';
import { webhookEventTypes } from './webhook.events.js';
import { webhookTimers } from './webhook.timers.js';

/** Services of outgoing webhook bots. */
export const webhooks = defineFeature({
  name: 'webhooks',
  events: webhookEventTypes,
  decidersOnly: webhookEventTypes.map(({ name }) => name),
  timers: [{ source: webhookTimers, handler: CallService }],
  additions: [{ to: PendingWork, items: [PendingCalls] }],
  followUps: { 'webhook.finished.v1': WebhookFollowUp },
});
