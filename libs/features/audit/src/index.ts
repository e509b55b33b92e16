export { audit } from './audit.feature.js';
export { SECRET_FIELDS } from './organization/recorded.js';
