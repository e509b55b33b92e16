import { type RecordedEvent, streams } from '#event-store';
import { nextSlice } from '#kernel';
import type { Directory } from '#people';
import { TOPIC_POLICY, topicKeyOf, preferencesPart } from '#preferences/model';

/** Users looked at in one turn of the event loop: a few milliseconds of work. */
const USERS_AT_ONCE = 200;

/** Conversations of which a user is notified without being addressed. */
interface Interests {
  readonly topics: readonly string[];
  readonly channels: readonly number[];
  readonly everywhere: boolean;
}

/**
 * Users who want to be notified of messages that are not addressed to them, by topic and channel: most messages concern none of
 * thousands of subscribers. Derived from the directory; users whose settings have changed are looked at again when it is asked.
 */
export class InterestIndex {
  readonly #byTopic = new Map<string, Set<number>>();
  readonly #byChannel = new Map<number, Set<number>>();
  readonly #everywhere = new Set<number>();
  readonly #known = new Map<number, Interests>();
  readonly #changed = new Set<number>();
  readonly #end: () => void;

  constructor(private readonly directory: Directory) {
    this.#end = directory.listen(({ stream, data }: RecordedEvent<{ readonly userId?: number }>) => {
      const { userId } = data;
      if (userId === undefined) return;
      // Any event of the directory about one user may change what that user wants to be notified of.
      if (stream === directory.stream || stream === streams.user(userId)) this.#changed.add(userId);
    });
  }

  /** Looks at all users; to be awaited before the first question. */
  async prepare(): Promise<void> {
    const userIds = Array.from(this.directory.users(), ({ userId }) => userId);
    for (const [index, userId] of userIds.entries()) {
      if (index > 0 && index % USERS_AT_ONCE === 0) await nextSlice();
      this.#look(userId);
    }
  }

  stop(): void {
    this.#end();
  }

  /** Users who may want to be notified of a message there; their settings decide. */
  of(channelId: number, topic: string): ReadonlySet<number> {
    for (const userId of this.#changed) this.#look(userId);
    this.#changed.clear();
    const users = new Set<number>();
    for (const userId of this.#byTopic.get(keyOf(channelId, topic)) ?? []) users.add(userId);
    for (const userId of this.#byChannel.get(channelId) ?? []) users.add(userId);
    for (const userId of this.#everywhere) if (this.directory.isSubscribed(userId, channelId)) users.add(userId);
    return users;
  }

  #look(userId: number): void {
    const before = this.#known.get(userId);
    for (const key of before?.topics ?? []) removeFrom(this.#byTopic, key, userId);
    for (const channelId of before?.channels ?? []) removeFrom(this.#byChannel, channelId, userId);
    this.#everywhere.delete(userId);
    const interests = interestsOf(this.directory, userId);
    if (interests === undefined) {
      this.#known.delete(userId);
      return;
    }
    this.#known.set(userId, interests);
    for (const key of interests.topics) addTo(this.#byTopic, key, userId);
    for (const channelId of interests.channels) addTo(this.#byChannel, channelId, userId);
    if (interests.everywhere) this.#everywhere.add(userId);
  }
}

function interestsOf(directory: Directory, userId: number): Interests | undefined {
  const preferences = directory.of(preferencesPart);
  const topics = [...preferences.of(userId).topics.values()]
    .filter(({ policy }) => policy === TOPIC_POLICY.followed)
    .map(({ channelId, topic }) => keyOf(channelId, topic));
  const channels = [...directory.subscriptionsOf(userId)]
    .filter(({ pushNotifications, emailNotifications }) => pushNotifications === true || emailNotifications === true)
    .map(({ channelId }) => channelId);
  const everywhere =
    preferences.setting(userId, 'enable_stream_push_notifications') ||
    preferences.setting(userId, 'enable_stream_email_notifications');
  return topics.length + channels.length === 0 && !everywhere ? undefined : { topics, channels, everywhere };
}

function keyOf(channelId: number, topic: string): string {
  return `${channelId}:${topicKeyOf(topic)}`;
}

function addTo<Key>(index: Map<Key, Set<number>>, key: Key, userId: number): void {
  const users = index.get(key);
  if (users === undefined) index.set(key, new Set([userId]));
  else users.add(userId);
}

function removeFrom<Key>(index: Map<Key, Set<number>>, key: Key, userId: number): void {
  const users = index.get(key);
  users?.delete(userId);
  if (users?.size === 0) index.delete(key);
}
