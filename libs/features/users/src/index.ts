export type { AccountEvent } from './account-event.js';
export { presentActor } from './accounts/accounts.access.js';
export { deactivationOf } from './accounts/accounts.decider.js';
export { ApiKeys } from './credentials/api-keys.js';
export { newBotSecrets } from './credentials/bot-secrets.js';
export { type AskedOwnAccount, ChangeOwnAccountCommand } from './commands/change-own-account.js';
export { RunAccountCommand } from './commands/run-account-command.js';
export { OfferPasswordResetCommand } from './links/offer-password-reset.js';
export { FetchApiKeyCommand } from './commands/fetch-api-key.js';
export { ApiKeyIssuer } from './commands/issue-api-key.js';
export { DirectoryAuthenticator } from './credentials/directory-authenticator.js';
export { decideCreateOrganization, OWNER_ID } from './first-start/first-start.decider.js';
export { FirstStart, FirstStartRefused, type FirstStartResult } from './first-start/first-start.js';
export { ownerZuliprc } from './credentials/owner-credentials.js';
export { PasswordCost, Passwords } from './credentials/passwords.js';
export {
  assertFreeBotName,
  checkFullName,
  decideIssueApiKey,
  defaultChannelIds,
  isEmailAddress,
  newAccount,
} from './users.decider.js';
export { type GuestView, type GuestViewEvent, guestViews } from './guest-view.js';
export { isTimezone } from './timezones.js';
export { users } from './users.feature.js';
export { welcomeBotAnswer } from './welcome-text.js';
export { UserSchema, wireUser } from './wire-user.js';
