import { defineFeature } from '#feature';
import { webhookEventTypes } from './webhook.events.js';
import { webhookTimers } from './webhook.timers.js';
import { WebhooksModule } from './webhooks.module.js';

/** Services of outgoing webhook bots. */
export const webhooks = defineFeature({
  name: 'webhooks',
  events: webhookEventTypes,
  decidersOnly: webhookEventTypes.map(({ name }) => name),
  timers: [webhookTimers],
  followUps: ['webhook.finished.v1'],
  module: WebhooksModule,
});
