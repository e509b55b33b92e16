export { statusesPart } from './statuses.part.js';
