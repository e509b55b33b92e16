/**
 * Allowed schemes of links. All others (`javascript:`, `data:`, `vbscript:`, `file:`, …) are refused, in any spelling.
 */
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

/** Text before the first `:` that is not preceded by `/`, `?` or `#`: what a browser could take for a scheme. */
const SCHEME = /^([^/?#:]*):/;

/** Maximum length of an address; longer ones are not linked. */
export const URL_LENGTH_LIMIT = 2_000;

/**
 * Whether a link may have this address. `url` is percent-encoded already, so control characters cannot hide a scheme.
 */
export function isSafeUrl(url: string): boolean {
  if (url.length > URL_LENGTH_LIMIT) return false;
  const trimmed = url.trim();
  const scheme = SCHEME.exec(trimmed)?.[1]?.toLowerCase();
  if (scheme === undefined) return true;
  // Browsers correct `http:host`; other programs read it differently.
  return SCHEMES.has(scheme) && (!WEB_SCHEMES.has(scheme) || trimmed.startsWith('//', scheme.length + 1));
}

/** The beginning of a web address without a scheme: a name that contains a dot. */
const HOST = /^[^./?#@][^/?#@]*\.[^./?#@]/;

/**
 * Whether `[text](url)` makes a link: not when it would lead to the current page, or to an unintended host (`foo/bar`,
 * `?q=1`, empty).
 */
export function isLinkTarget(url: string): boolean {
  if (!isSafeUrl(url)) return false;
  return url.startsWith('/') || url.startsWith('#') || SCHEME.test(url) || isMailbox(url) || HOST.test(url);
}

function isMailbox(url: string): boolean {
  return url.includes('@') && !url.includes('/');
}

/**
 * The `href` of a safe URL: absolute links to this server become root-relative, and addresses without a scheme or a
 * leading `/` or `#` become web addresses (`example.com/page`).
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

/**
 * Path of an upload after `/user_uploads/`, decoded; `undefined` for other links and for paths that leave the folder.
 */
export function uploadPathId(href: string): string | undefined {
  const encoded = UPLOAD.exec(href)?.[1];
  if (encoded === undefined || encoded.startsWith('thumbnail/')) return undefined;
  let pathId: string;
  try {
    pathId = decodeURIComponent(encoded);
  } catch {
    return undefined; // A stray `%`: no upload has such an address.
  }
  return pathId.split('/').some((part) => part === '' || part === '.' || part === '..') ? undefined : pathId;
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/**
 * Encodes text for the fragment of a link into the client: percent-encoding with `.` for `%` (rules.md §9).
 */
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

/** `/#narrow/dm/4,12-dm/near/7`: `userIds` are all participants, with or without the reader; `near` is optional. */
export function directLinkPath(userIds: readonly number[], nearMessageId?: number): string {
  const ids = [...userIds].sort((a, b) => a - b);
  const path = `/#narrow/dm/${ids.join(',')}-${ids.length > 2 ? 'group' : 'dm'}`;
  return nearMessageId === undefined ? path : `${path}/near/${nearMessageId}`;
}
