export * from './channel.access.js';
export * from './channel-permissions.js';
export * from './directory.js';
export * from './group-setting.js';
export * from './organization-writes.js';
export * from './organization.events.js';
export * from './system-groups.js';
