import type { RecordedEvent } from '#event-store';
import type { Directory } from '#organization';

/** Who caused an event, as answers tell it. */
export interface WireActor {
  /** `unknown` in events from before it was recorded. */
  readonly kind: 'user' | 'bot' | 'server' | 'unknown';
  readonly user_id?: number;
  /** As it is now. */
  readonly name?: string;
  /** Name of the client program. */
  readonly client?: string;
}

/** Events in whose data `userId` is who acted. Elsewhere it may be whom the event is about. */
const BY_ITS_USER =
  /^(?:reaction|flags|file\.uploaded|submessage|draft|drafts|scheduled-message|reminder|snippet|mute|alert-words|topic-policy|user-settings|navigation-view|onboarding-step|subscription\.settings|user\.email)/;
/** Events that the server records by itself. */
const BY_THE_SERVER =
  /^(?:notice|missed|mail|follow-up|webhook|export\.(?:running|given-up|finished|failed)|user\.waiting|organization\.server)/;

interface Data {
  readonly by?: number | null;
  readonly senderId?: number;
  readonly userId?: number;
  readonly client?: string;
}

/** @param directory for kinds and names of users */
export function actorOf(directory: Directory, { type, data }: Pick<RecordedEvent<Data>, 'type' | 'data'>): WireActor {
  const userId = data.by ?? data.senderId ?? (BY_ITS_USER.test(type) ? data.userId : undefined);
  if (userId === undefined) return { kind: BY_THE_SERVER.test(type) ? 'server' : 'unknown' };
  const user = directory.user(userId);
  const client = data.client === undefined ? {} : { client: data.client };
  if (user === undefined) return { kind: 'user', user_id: userId, ...client };
  const kind = user.systemBot !== undefined ? 'server' : user.botType === null ? 'user' : 'bot';
  return { kind, user_id: userId, name: user.fullName, ...client };
}
