/** Schemes a link may have. Everything else (`javascript:`, `data:`, `vbscript:`, `file:`, …) is refused, in whatever spelling. */
const SCHEMES = new Set([
  'http',
  'https',
  'ftp',
  'mailto',
  'tel',
  'sms',
  'xmpp',
  'irc',
  'ircs',
  'matrix',
  'git',
  'ssh',
  'news',
  'bitcoin',
  'geo',
  'zoommtg',
]);

const WEB_SCHEMES = new Set(['http', 'https', 'ftp']);

/** Text before the first `:` that no `/`, `?` or `#` precedes: what a browser could take for a scheme. */
const SCHEME = /^([^/?#:]*):/;

/** Longer addresses are text. */
export const URL_LENGTH_LIMIT = 2_000;

/** Whether a link may go there at all. `url` is percent-encoded already, so no control characters can hide a scheme. */
export function isSafeUrl(url: string): boolean {
  if (url.length > URL_LENGTH_LIMIT) return false;
  const trimmed = url.trim();
  const scheme = SCHEME.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme === undefined) return true;
  // Browsers mend `http:host`; nobody else reads it in the same way.
  return SCHEMES.has(scheme) && (!WEB_SCHEMES.has(scheme) || trimmed.startsWith('//', scheme.length + 1));
}

/** The beginning of what people write for an address on the web when they leave out the scheme: a name with a dot in it. */
const HOST = /^[^./?#@][^/?#@]*\.[^./?#@]/;

/**
 * Whether `[text](url)` makes a link: not where it would lead to the page that it happens to stand on, or to a host that nobody meant
 * (`foo/bar`, `?q=1`, nothing at all).
 */
export function isLinkTarget(url: string): boolean {
  if (!isSafeUrl(url)) return false;
  return url.startsWith('/') || url.startsWith('#') || SCHEME.test(url) || isMailbox(url) || HOST.test(url);
}

function isMailbox(url: string): boolean {
  return url.includes('@') && !url.includes('/');
}

/**
 * The `href` for a safe URL somebody wrote: absolute links to this server become root-relative, and what has neither a scheme nor a
 * leading `/` or `#` is taken for an address on the web, as people write them (`example.com/page`).
 */
export function hrefOf(url: string, realmUrl: string): string {
  if (realmUrl !== '' && url.startsWith(realmUrl)) {
    const rest = url.slice(realmUrl.length);
    if (rest === '') return '/';
    if (rest.startsWith('#') || rest.startsWith('?')) return `/${rest}`;
    // `//host` and `/\host` would leave this server.
    if (rest.startsWith('/') && !/^\/[/\\]/.test(rest)) return rest;
    return url;
  }
  if (url === '' || url.startsWith('#') || SCHEME.test(url)) return url;
  if (url.startsWith('/')) return /^\/[/\\]/.test(url) ? `http://${url.replace(/^[/\\]+/, '')}` : url;
  return isMailbox(url) ? `mailto:${url}` : `http://${url.replace(/^[/\\]+/, '')}`;
}

const UPLOAD = /^\/user_uploads\/([^?#]+)/;

/** The part of an own upload's path behind `/user_uploads/`, decoded; `undefined` for other links and for addresses that climb out. */
export function uploadPathId(href: string): string | undefined {
  const encoded = UPLOAD.exec(href)?.[1];
  if (encoded === undefined || encoded.startsWith('thumbnail/')) return undefined;
  let pathId: string;
  try {
    pathId = decodeURIComponent(encoded);
  } catch {
    return undefined; // a stray `%`: no upload has such an address
  }
  return pathId.split('/').some((part) => part === '' || part === '.' || part === '..') ? undefined : pathId;
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Text for the fragment of a link into the client: percent-encoding with `.` for `%` (supplement, rules.md §9). */
function encodeFragment(text: string): string {
  return encodeURIComponent(text.replace(LONE_SURROGATE, '\ufffd'))
    .replace(/[.!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%', '.');
}

/** Where a link to a channel opens: at its newest message, at a message of the topic, or near one message. */
export interface ChannelLinkTarget {
  readonly topic?: string;
  /** Any message of the topic: the link follows it when the topic moves. */
  readonly withMessageId?: number;
  /** The message to show. */
  readonly nearMessageId?: number;
}

/** `/#narrow/channel/9-announce/topic/Zulip.20updates/with/214` */
export function channelLinkPath(
  channel: { readonly id: number; readonly name: string },
  target: ChannelLinkTarget = {},
): string {
  let path = `/#narrow/channel/${channel.id}-${encodeFragment(channel.name.replaceAll(' ', '-'))}`;
  if (target.topic !== undefined) path += `/topic/${encodeFragment(target.topic)}`;
  if (target.nearMessageId !== undefined) path += `/near/${target.nearMessageId}`;
  else if (target.withMessageId !== undefined) path += `/with/${target.withMessageId}`;
  return path;
}

/** `/#narrow/dm/4,12-dm/near/7`: `userIds` are all participants but the reader is free to be among them; `near` is optional. */
export function directLinkPath(userIds: readonly number[], nearMessageId?: number): string {
  const ids = [...userIds].sort((a, b) => a - b);
  const path = `/#narrow/dm/${ids.join(',')}-${ids.length > 2 ? 'group' : 'dm'}`;
  return nearMessageId === undefined ? path : `${path}/near/${nearMessageId}`;
}
