import { toWellFormed } from './params/json-text.js';

/** Names have at most 60 characters (see `tidy`); characters beyond this are ignored. */
const RAW_NAME_LENGTH_MAX = 240;
const USER_AGENT_LENGTH_MAX = 300;
const UNSPECIFIED = 'Unspecified';
/** The client of all requests by sessions. */
export const WEBSITE = 'website';

/**
 * The name for a message's `client` (rules.md §1): the parameter when given, else the first part of
 * `Name[/version][ (…)]`. `ZulipTerminal/0.7.0 (Linux; 6.1)` is `ZulipTerminal`.
 */
export function clientNameOf(parameter: string | undefined, userAgent: string | undefined): string {
  if (parameter !== undefined) {
    const chosen = tidy(parameter);
    if (chosen !== '') return chosen;
  }
  if (userAgent === undefined) return UNSPECIFIED;
  const name = /^[^/ ]*[^0-9/(]*/.exec(userAgent.slice(0, USER_AGENT_LENGTH_MAX))?.[0] ?? '';
  return tidy(name) || UNSPECIFIED;
}

/** The version in a User-Agent `Name/version (…)`, if it has one. */
export function clientVersionOf(userAgent: string | undefined): string | undefined {
  return userAgent === undefined ? undefined : /^[^/(]{0,60}\/([\w.+-]{1,32})/.exec(userAgent)?.[1];
}

function tidy(name: string): string {
  // Names appear in other users' replies and in logs, so control characters and lone surrogates are removed.
  const wellFormed = toWellFormed(name.slice(0, RAW_NAME_LENGTH_MAX)).replace(/\p{Cc}/gu, '');
  return /^.{1,60}/su.exec(wellFormed.trim())?.[0] ?? '';
}
