export { atOnce } from './at-once.js';
export * from './clock.js';
export { Coalesced } from './coalesced.js';
export * from './decider.js';
export * from './ids.js';
export * from './json.js';
export * from './refusal.js';
export * from './ranges.js';
export { TurnsByKey } from './turns-by-key.js';
