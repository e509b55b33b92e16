/** Where the push service is, and how this server signs in there. */
export interface BouncerAddress {
  /** Without credentials, and without a slash at the end. */
  readonly url: string;
  readonly authorization: string | undefined;
}

/**
 * Reads `https://id:key@host:port/path`.
 * @throws Error with a message that does not contain the credentials
 */
export function bouncerAddressOf(text: string): BouncerAddress {
  if (!URL.canParse(text)) throw new Error('it is no address: https://id:key@host/.');
  const url = new URL(text);
  if (!/^https?:$/.test(url.protocol)) throw new Error('it must be an http or https address.');
  if (`${url.search}${url.hash}` !== '') throw new Error('it must have neither a query nor a fragment.');
  const { username, password } = url;
  url.username = '';
  url.password = '';
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return {
    url: url.href.replace(/\/+$/, ''),
    authorization: username === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}
