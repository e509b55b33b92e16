export { audit } from './audit.feature.js';
export { isUpTo, type Moment, readMoment } from './moment.js';
export { SECRET_FIELDS } from './organization/recorded.js';
