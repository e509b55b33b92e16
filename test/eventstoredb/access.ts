import type { Metadata } from '@grpc/grpc-js';

/** The caller: anonymous, with a wrong name or password, or a known user. */
export type Caller = 'anonymous' | 'wrong' | 'known';

/** HTTP basic authentication. Without users every caller is known, as on an insecure node. */
export function callerOf(users: Readonly<Record<string, string>> | undefined, metadata: Metadata): Caller {
  if (!users) return 'known';
  const [header] = metadata.get('authorization');
  if (header === undefined) return 'anonymous';
  const [, encoded = ''] = String(header).split(' ');
  const [user = '', ...password] = Buffer.from(encoded, 'base64').toString().split(':');
  return Object.hasOwn(users, user) && users[user] === password.join(':') ? 'known' : 'wrong';
}
