/** Where objects are kept on a server with S3's protocol, and how this process signs in there. */
export interface S3Address {
  /** Address of the server, without credentials. */
  readonly endpoint: string;
  readonly bucket: string;
  /** Before all keys: empty, or with a slash at the end. */
  readonly prefix: string;
  readonly region: string;
  /** Undefined leaves it to the environment, as the official client reads it. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | undefined;
  /** Whether the bucket is a part of the path, and not of the host's name. */
  readonly isPathStyle: boolean;
  /** File with the certificates to trust. */
  readonly caFile: string | undefined;
}

const FORM = 's3://KEY:SECRET@host:port/bucket/prefix?region=…';
/** Where the region has no meaning, servers expect this one. */
const REGION_DEFAULT = 'us-east-1';
const OPTIONS = new Set(['region', 'tls', 'tlsCAFile', 'addressing']);

const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[A-Za-z0-9][A-Za-z0-9._-]{0,99}\/){0,5}$/;

/**
 * Reads `s3://KEY:SECRET@host:port/bucket/prefix?region=…&tls=…&tlsCAFile=…&addressing=…`.
 * @throws TypeError with a message that does not contain the credentials
 */
export function s3AddressOf(text: string): S3Address {
  if (!URL.canParse(text) || !text.startsWith('s3://'))
    throw new TypeError(`it is no address: ${FORM} Inside KEY and SECRET, / : @ ? # % are written as %XX.`);
  const { host, pathname, searchParams, hash, username, password } = new URL(text);
  if (host === '') throw new TypeError(`it names no host: ${FORM}`);
  if (hash !== '') throw new TypeError('it must have no fragment. A # in the secret is written as %23.');
  const [, bucket = '', path = ''] = /^\/([^/]*)\/?(.*?)\/?$/s.exec(pathname) ?? [];
  if (!BUCKET.test(bucket)) throw new TypeError('its path must begin with the name of a bucket.');
  const prefix = path === '' ? '' : `${path}/`;
  if (!PREFIX.test(prefix))
    throw new TypeError('what follows the bucket must be up to five parts of letters, digits, dots and dashes.');
  const options = optionsOf(searchParams);
  return {
    endpoint: `${options.isEncrypted ? 'https' : 'http'}://${host}`,
    bucket,
    prefix,
    credentials: credentialsOf(username, password),
    region: options.region,
    isPathStyle: options.isPathStyle,
    caFile: options.caFile,
  };
}

function optionsOf(query: URLSearchParams) {
  for (const name of query.keys()) if (!OPTIONS.has(name)) throw new TypeError(`it has an unknown option: ${name}.`);
  const tls = query.get('tls') ?? 'true';
  const addressing = query.get('addressing') ?? 'path';
  const region = query.get('region') ?? REGION_DEFAULT;
  if (tls !== 'true' && tls !== 'false') throw new TypeError('its option tls must be one of: true, false.');
  if (addressing !== 'path' && addressing !== 'virtual')
    throw new TypeError('its option addressing must be one of: path, virtual.');
  if (!/^[a-z0-9-]{1,50}$/.test(region)) throw new TypeError('its option region is no name of a region.');
  return {
    isEncrypted: tls === 'true',
    isPathStyle: addressing === 'path',
    region,
    caFile: query.get('tlsCAFile') ?? undefined,
  };
}

function credentialsOf(username: string, password: string): S3Address['credentials'] {
  if (username === '' && password === '') return undefined;
  if (username === '' || password === '') throw new TypeError('it must have both KEY and SECRET, or neither.');
  try {
    return { accessKeyId: decodeURIComponent(username), secretAccessKey: decodeURIComponent(password) };
  } catch {
    throw new TypeError('its KEY or SECRET contains a % that is not followed by two digits. It is written as %25.');
  }
}
