export { audit } from './audit.feature.js';
