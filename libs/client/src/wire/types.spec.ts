import type * as generated from './types.generated.js';
import type * as read from './types.js';

/** Names of the fields that a type lists, without its index signature. */
type Listed<Type> = Type extends unknown
  ? keyof { [Key in keyof Type as string extends Key ? never : Key]: true }
  : never;

/** Names of the fields that one of the types of a union has. */
type AnyKey<Type> = Type extends unknown ? keyof Type : never;

/** Accepts what the server sends as what the library reads; not when the library reads a field that the server never sends. */
type Reads<Sent extends Read, Read> =
  Exclude<Listed<Read>, AnyKey<Sent>> extends never ? 'fits' : Exclude<Listed<Read>, AnyKey<Sent>>;

type AnyChannel = generated.Channel | generated.Subscription | generated.NeverSubscribedChannel;
type RecentDirect = NonNullable<generated.RegisterState['recent_private_conversations']>[number];
type Registered = generated.RegisterState & { readonly queue_id: string | null; readonly last_event_id: number };

/** Does not compile when the generated types and those that the library reads do not agree. */
const AGREED: readonly 'fits'[] = [
  'fits' satisfies Reads<generated.Event, read.ServerEvent>,
  'fits' satisfies Reads<Registered, read.Registered>,
  'fits' satisfies Reads<AnyChannel, read.Channel>,
  'fits' satisfies Reads<generated.User, read.User>,
  'fits' satisfies Reads<generated.UserGroup, read.UserGroup>,
  'fits' satisfies Reads<generated.UserTopic, read.UserTopic>,
  'fits' satisfies Reads<RecentDirect, read.RecentDirect>,
  'fits' satisfies Reads<generated.GetMessagesResponses[200], read.MessagePage>,
  'fits' satisfies Reads<generated.UnreadMessages, read.UnreadMessages>,
  'fits' satisfies Reads<generated.ChannelMessage, read.ChannelMessage>,
  'fits' satisfies Reads<generated.DirectMessage, read.DirectMessage>,
  'fits' satisfies Reads<generated.Reaction, read.Reaction>,
];

test('the types that the library reads are those of the server', () => {
  expect(new Set(AGREED)).toEqual(new Set(['fits']));
});
