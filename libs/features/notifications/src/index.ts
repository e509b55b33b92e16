export { notifications } from './notifications.feature.js';
