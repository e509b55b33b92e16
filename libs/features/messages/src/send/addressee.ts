import { Type } from 'typebox';
import { badRequest, excerpt, Refusal } from '#kernel';
import { DIRECT_RECIPIENTS_MAX } from '../model/message-settings.js';

/** The parameter `to`: a name, an e-mail address or several joined by commas, an ID, or a list of these. */
export type AskedRecipients = string | number | readonly (string | number)[];

/** Fits as many e-mail addresses as there may be recipients. */
export const RECIPIENTS_LENGTH_MAX = 64 * 1024;

const Recipient = Type.Union([Type.Integer(), Type.String()]);
/** Shape of the parameter `to`. One more than allowed passes, so that `addresseeOf` refuses it with the limit. */
export const Recipients = Type.Union([Recipient, Type.Array(Recipient, { maxItems: DIRECT_RECIPIENTS_MAX + 1 })]);

export type MessageType = 'direct' | 'private' | 'channel' | 'stream';

/** Recipients of a message as requested, before the look-up. */
export type Addressee =
  | { readonly kind: 'channel'; readonly channel: string | number }
  | { readonly kind: 'users'; readonly users: readonly (string | number)[] };

/** @throws Refusal BAD_REQUEST */
export function addresseeOf(type: MessageType, to: AskedRecipients): Addressee {
  if (type === 'direct' || type === 'private') return { kind: 'users', users: usersOf(to) };
  const [channel, ...more] = typeof to === 'object' ? to : [to];
  if (channel === undefined || more.length > 0) throw badRequest('Expected exactly one channel');
  return { kind: 'channel', channel };
}

function usersOf(to: AskedRecipients): readonly (string | number)[] {
  const users = typeof to === 'object' ? to : typeof to === 'number' ? [to] : splitUsers(to);
  if (users.length === 0) throw badRequest('Message must have recipients');
  if (users.length > DIRECT_RECIPIENTS_MAX) throw badRequest(`Too many recipients (limit: ${DIRECT_RECIPIENTS_MAX})`);
  if (users.some((user) => typeof user !== typeof users[0])) {
    throw badRequest('Recipient lists may contain emails or user IDs, but not both.');
  }
  return users;
}

/** Clients that do not encode lists join them: `ann@example.com, bob@example.com` or `9,10`. */
function splitUsers(text: string): readonly (string | number)[] {
  const parts = text
    .split(',', DIRECT_RECIPIENTS_MAX + 2)
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.every((part) => /^\d{1,15}$/.test(part)) ? parts.map(Number) : parts;
}

/** Refusal for a channel that does not exist or that the sender may not know of. */
export function channelDoesNotExist(asked: string | number): Refusal {
  if (typeof asked === 'number')
    return new Refusal('STREAM_DOES_NOT_EXIST', `Channel with ID '${asked}' does not exist`, { stream_id: asked });
  const stream = excerpt(asked);
  return new Refusal('STREAM_DOES_NOT_EXIST', `Channel '${stream}' does not exist`, { stream });
}
