export { channels } from './channels.feature.js';
