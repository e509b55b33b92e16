import { Injectable } from '@nestjs/common';
import { ClientEvents, type Derivations, type FeedEntry, type Presentable, type Recipient } from '#feed';
import { Directory, knewUser } from '#people';
import type { UserEvent } from '#users/model';
import { ExtraEmojiType } from '#pictures/model';
import { type PreferencesEvent, preferencesPart } from '#preferences/model';
import { type GuestView, type GuestViewEvent, guestViews } from '#users';
import { type StatusParts, wireEmoji, type statusEventSchemas } from './wire-status.js';
import { statusesPart } from '../model/statuses.part.js';
import type { UserStatusChanged } from '../model/status.events.js';
import type { WireEvent } from '#wire';

type WireStatusEvent = WireEvent<typeof statusEventSchemas>;

/** Only what changed. */
interface Body extends StatusParts {
  readonly userId: number;
  readonly away?: boolean;
}

type Told =
  | UserStatusChanged
  | Extract<PreferencesEvent, { type: 'user-settings.changed.v1' }>
  | Extract<UserEvent, { type: 'user.reactivated.v1' }>
  | Exclude<GuestViewEvent, { type: 'channel.unsubscribed.v1' | 'channels.unsubscribed.v1' }>;

/** `user_status` events (events.md §4). Being away is the older name of not sharing one's presence. */
@Injectable()
export class StatusClientEvents extends ClientEvents<WireStatusEvent> {
  override readonly on: Derivations<Told> = {
    'user-status.changed.v1': ({ data: { userId, text, emoji } }) => [entryOf({ userId, text, emoji })],
    'user-settings.changed.v1': ({ data: { userId, settings } }) => {
      const isEnabled = settings['presence_enabled'];
      return typeof isEnabled === 'boolean' ? [entryOf({ userId, away: !isEnabled })] : [];
    },
    // Clients that registered meanwhile were not told the status.
    'user.reactivated.v1': ({ data: { userId } }, directory) =>
      statusOf(directory, userId).map((body) => entryOf(body)),
    'channel.subscribed.v1': (event, directory) =>
      statusOfGained(directory, guestViews['channel.subscribed.v1'](event, directory)),
    'channels.subscribed.v1': (event, directory) =>
      statusOfGained(directory, guestViews['channels.subscribed.v1'](event, directory)),
    'message.sent.v1': (event, directory) => statusOfGained(directory, guestViews['message.sent.v1'](event, directory)),
  };
  override readonly types: ReadonlySet<string> = new Set(['user_status']);

  constructor(
    private readonly directory: Directory,
    private readonly extraEmojiType: ExtraEmojiType,
  ) {
    super();
  }

  override present(
    { position, entry: { body } }: Presentable<Body>,
    { user: viewer }: Recipient,
  ): readonly WireStatusEvent[] {
    const { userId, away, text, emoji } = body;
    const user = this.directory.user(userId);
    if (user?.isActive !== true || !knewUser(this.directory, viewer, user, position)) return [];
    const event = { type: 'user_status', user_id: userId, away, status_text: text } as const;
    if (emoji === undefined) return [event];
    return [{ ...event, ...(emoji === null ? NO_EMOJI : wireEmoji(emoji, this.extraEmojiType)) }];
  }
}

/** The status of the users whom limited guests come to know. */
function statusOfGained(directory: Directory, views: readonly FeedEntry[]): readonly FeedEntry<Body>[] {
  return views.flatMap(({ audience, body }) =>
    (body as GuestView).userIds.flatMap((userId) => statusOf(directory, userId)).map((one) => entryOf(one, audience)),
  );
}

/** The user's status, if there is one. */
function statusOf(directory: Directory, userId: number): Body[] {
  const { text, emoji } = directory.of(statusesPart).of(userId);
  const parts = {
    ...(text === '' ? undefined : { text }),
    ...(emoji === null ? undefined : { emoji }),
    ...(directory.of(preferencesPart).setting(userId, 'presence_enabled') ? undefined : { away: true }),
  };
  return Object.keys(parts).length === 0 ? [] : [{ userId, ...parts }];
}

/** Clients refuse an event with an empty type (rules.md §14). */
const NO_EMOJI = { emoji_name: '', emoji_code: '', reaction_type: 'unicode_emoji' } as const;

function entryOf(body: Body, audience: FeedEntry['audience'] = { to: 'everyone' }): FeedEntry<Body> {
  return { type: 'user_status', audience, body };
}
