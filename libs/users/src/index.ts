export { ApiKeys } from './api-keys.js';
export { DirectoryAuthenticator } from './directory-authenticator.js';
export { FirstStart, FirstStartRefused, type FirstStartResult } from './first-start.js';
export { users } from './users.feature.js';
export { WaitingPeriod } from './waiting-period.js';
