export { Notifier } from './notices/notifier.js';
export { notifications } from './notifications.feature.js';
