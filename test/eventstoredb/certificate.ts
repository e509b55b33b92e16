import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

/** A key and a certificate for it, both as PEM. */
export interface Identity {
  key: string;
  certificate: string;
}

const VALID_MS = 24 * 60 * 60 * 1000;
/** For clocks that are slightly behind. */
const SINCE_MS = 60 * 60 * 1000;

const SEQUENCE = 0x30;
const SET = 0x31;
const OID = {
  ecdsaWithSha256: Buffer.from('06082a8648ce3d040302', 'hex'),
  commonName: Buffer.from('0603550403', 'hex'),
  subjectAltName: Buffer.from('0603551d11', 'hex'),
  basicConstraints: Buffer.from('0603551d13', 'hex'),
};

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function time(ms: number): Buffer {
  const [date = '', clock = ''] = new Date(ms).toISOString().split(/[T.]/);
  return der(0x17, Buffer.from(`${date.slice(2).replaceAll('-', '')}${clock.replaceAll(':', '')}Z`));
}

function extension(oid: Buffer, value: Buffer): Buffer {
  return der(SEQUENCE, oid, der(0x04, value));
}

/** Makes a self-signed certificate of 127.0.0.1, valid for a day. */
export function selfSigned(): Identity {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = der(SEQUENCE, OID.ecdsaWithSha256);
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, OID.commonName, der(0x0c, Buffer.from('stand-in')))));
  const address = der(SEQUENCE, der(0x87, Buffer.from([127, 0, 0, 1])));
  const authority = der(SEQUENCE, der(0x01, Buffer.from([0xff])));
  const now = Date.now();
  const body = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    algorithm,
    name,
    der(SEQUENCE, time(now - SINCE_MS), time(now + VALID_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension(OID.subjectAltName, address), extension(OID.basicConstraints, authority))),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const lines = der(SEQUENCE, body, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
