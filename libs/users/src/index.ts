export { presentActor } from './accounts.access.js';
export { deactivationOf } from './accounts.decider.js';
export { ApiKeys } from './api-keys.js';
export { type AskedOwnAccount, ChangeOwnAccountCommand } from './commands/change-own-account.js';
export { DirectoryAuthenticator } from './directory-authenticator.js';
export { FirstStart, FirstStartRefused, type FirstStartResult } from './first-start.js';
export { checkFullName, decideIssueApiKey, isEmailAddress } from './users.decider.js';
export { users } from './users.feature.js';
export { WaitingPeriod } from './waiting-period.js';
