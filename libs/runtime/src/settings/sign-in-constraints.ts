import { jwtKeyOf } from '#sign-in';
import { ValidateBy } from '#validation';
import { complaining, complaintOf } from './complaint.js';

interface Given {
  readonly JWT_AUTH_ALGORITHMS: string;
  readonly NODE_ENV: string | undefined;
}

/** A secret or a public key that fits the algorithms. */
export const IsJwtKey = complaining('isJwtKey', (key, settings) =>
  complaintOf(() => jwtKeyOf(key, (settings as Given).JWT_AUTH_ALGORITHMS)),
);

/** Only on this machine the way to another server needs no encryption. */
function isEncrypted(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname));
}

export const IsIssuer = ValidateBy({
  name: 'isIssuer',
  validator: {
    validate: isEncrypted,
    defaultMessage: () => '$property must be the https address of the identity provider.',
  },
});

/** Address below which Zoom is served, without a query. */
export const IsZoomUrl = ValidateBy({
  name: 'isZoomUrl',
  validator: {
    validate: (text: string) => isEncrypted(text) && /^[^?#]+$/.test(text),
    defaultMessage: () => '$property must be an https address, such as https://zoom.us.',
  },
});

/** Address of a server of meetings, without a query. */
export const IsMeetingsUrl = ValidateBy({
  name: 'isMeetingsUrl',
  validator: {
    validate: (text: string) => URL.canParse(text) && /^https?:\/\/[^?#]+$/.test(text),
    defaultMessage: () =>
      '$property must be an http or https address, such as https://meet.example.org/bigbluebutton/.',
  },
});

/** Signing in without passwords is for development. */
export const IsNotForProduction = ValidateBy({
  name: 'isNotForProduction',
  validator: {
    validate: (value: string, given) => value === 'off' || (given?.object as Given).NODE_ENV !== 'production',
    defaultMessage: () => '$property lets everyone sign in as anyone: it is refused with NODE_ENV=production.',
  },
});
