export {
  CountsCalls,
  Direct,
  Door,
  HiddenBy,
  ForOwnPages,
  NotRateLimited,
  OptionalAuth,
  Page,
  Public,
  Raw,
  ServesFiles,
  TakesFile,
  RecordsNothing,
  TakesOperator,
  TakesSmallFiles,
  TakesWriteOnly,
  policyOf,
} from './access.js';
export { Answers, AnswersFile, AnswersText, WritesAnswer } from './answers/answers.js';
export { failureSchema } from './answers/failure-schema.js';
export { failureBody, STATUS } from './answers/failure.js';
export { hasContent } from './answers/if-none-match.js';
export { sendLines } from './answers/lines.js';
export { JSON_TYPE, sendFields, sendFieldsAfter, sendLateFields } from './answers/success.js';
export { CHAT_LINK, clientAdvice, otherClients } from './pages/clients.js';
export { Authenticator, type SessionOfCaller } from './authentication.js';
export type { EdgeReply } from './exchange.js';
export { closeGracefully, createHttpApp } from './http-app.js';
export { sessionIdOf } from './http-origin.js';
export type { AnsweredRequest } from './hooks.js';
export type { OpenApiSettings } from './openapi/openapi.js';
export { type LoginAttempt, LoginAttempts, PollLimits, VisitorMails } from './limits/rate-limits.js';
export { ignoreOutputFailures } from './logging/log-output.js';
export { LOG_ADDRESSES, type LogAddresses } from './logging/logged-address.js';
export { createLogger, faultText, LOG_LEVELS, type Logger, type LogLevel } from './logging/logging.js';
export {
  ApiBody,
  ApiConsumes,
  ApiExcludeController,
  ApiExcludeEndpoint,
  ApiHeader,
  ApiTags,
  Summary,
} from './openapi/swagger-decorators.js';
export {
  AskingCaller,
  assertIntended,
  BrowserCookies,
  Caller,
  CheckedBoxes,
  IgnoredParams,
  ClientName,
  Files,
  FromRequest,
  Params,
  PathId,
  SessionId,
} from './params/decorators.js';
export { Cookies, SESSION_COOKIE } from './pages/cookies.js';
export { CsrfToken } from './pages/csrf.js';
export { Html, html } from './pages/html.js';
export { acceptsHtml } from './front-page.js';
export { PAGE_HEADERS, PageReply, RedirectReply, waitingPage } from './pages/page.js';
export { dropSession, keepSession } from './pages/session.js';
export { incomingFile, type IncomingFile } from './params/incoming-file.js';
export { Param, type ParamsClass, readParams } from './params/params.js';
export { SmallFiles } from './params/small-files.js';
export { Shape, ShapeOrText } from './params/shapes.js';
export {
  boolean,
  integer,
  json,
  jsonOrText,
  jsonWord,
  lowerCase,
  nullable,
  text,
  unquoted,
  type WireType,
} from './params/wire-types.js';
export { Shutdown } from './shutdown.js';
