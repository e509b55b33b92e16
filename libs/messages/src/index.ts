export * from './projections/message.document.js';
export * from './queries/messages.reader.js';
export * from './wire-message.js';
export * from './wire-topic.js';
