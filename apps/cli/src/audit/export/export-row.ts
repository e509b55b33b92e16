/** A user as rows name it. */
export interface UserRef {
  readonly user_id: number;
}

/** Who acted. */
export interface RowActor {
  readonly kind: string;
  readonly user_id?: number;
  readonly client?: string;
}

/** A topic of a channel, or a direct conversation. */
export interface RowPlace {
  readonly channel_id?: number;
  readonly topic?: string;
  readonly users?: readonly UserRef[];
}

/** A line about a message. */
export interface MessageLine {
  readonly type: 'sent' | 'edited' | 'moved' | 'deleted' | 'reacted' | 'unreacted' | 'submessage';
  readonly message_id: number;
  /** Seconds since the epoch. */
  readonly at: number;
  readonly stream: string;
  readonly revision: number;
  readonly event: string;
  readonly actor: RowActor;
  readonly sender?: UserRef;
  readonly place?: RowPlace;
  readonly from?: RowPlace;
  readonly to?: RowPlace;
  readonly version?: number;
  readonly content?: string;
  readonly mentions?: readonly number[];
  readonly files?: readonly { readonly file_id: number; readonly owner_id: number }[];
  readonly emoji_name?: string;
  readonly client?: string;
  readonly deleted_with?: string;
}

/** A line about a file: its upload, or its removal. */
export interface FileLine {
  readonly type: 'file_uploaded' | 'file_removed';
  readonly file_id: number;
  readonly at: number;
  readonly actor: RowActor;
  readonly name?: string;
  readonly size?: number;
  readonly sha256?: string;
  readonly content_type?: string;
}

/** A record of the log that could not be read. */
export interface DamagedLine {
  readonly type: 'damaged';
  readonly position: number;
  /** Position of the last one, of several in a row. */
  readonly through?: number;
  /** Its stream and revision, as far as they are known. */
  readonly stream?: string;
  readonly revision?: number;
  readonly reason: string;
}

export interface UserLine {
  readonly type: 'user';
  readonly user_id: number;
  readonly full_name: string;
  readonly email: string;
}

export interface ChannelLine {
  readonly type: 'channel';
  readonly channel_id: number;
  readonly name: string;
}

/** The lines about one message, in the order of the log. */
export interface Story {
  readonly id: number;
  readonly lines: readonly MessageLine[];
}

/** Users named in a line. */
export function* usersIn({ actor, sender, place, mentions, files }: MessageLine): Generator<number, void, void> {
  if (actor.user_id !== undefined) yield actor.user_id;
  if (sender !== undefined) yield sender.user_id;
  for (const { user_id: id } of place?.users ?? []) yield id;
  yield* mentions ?? [];
  for (const { owner_id: id } of files ?? []) yield id;
}

/** Channels named in a line. */
export function* channelsIn({ place, from, to }: MessageLine): Generator<number, void, void> {
  for (const one of [place, from, to]) if (one?.channel_id !== undefined) yield one.channel_id;
}
