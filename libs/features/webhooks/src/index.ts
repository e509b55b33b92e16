export { WebhookSettings } from './webhook-settings.js';
export { webhooks } from './webhooks.feature.js';
