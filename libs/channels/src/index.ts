export * from './channel-settings.js';
export * from './channels.client-events.js';
export * from './channels.module.js';
export * from './wire-channel.js';
