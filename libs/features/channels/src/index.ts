export { ChangeSubscriptionsCommand } from './subscription-settings/change-subscriptions.js';
export { channels } from './channels.feature.js';
