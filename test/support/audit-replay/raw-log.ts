/** An event as the log has it. */
export interface RawEvent {
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly data: any;
  readonly metadata: any;
  readonly recordedAtMs: number;
}

/** What counts for an answer: all events up to a position, or up to the end of a second. */
export type Until = { readonly position: number } | { readonly seconds: number };

/** A line of an answer, as a replay expects it. */
export type ExpectedRow = Readonly<Record<string, any>>;

const ORIGIN = /^(?:(b?)(\d+)|([svo]))?(?:\.(\w+)\.(\w+))?(?:~(.+))?$/;
const OTHERS: Readonly<Record<string, string>> = { s: 'server', o: 'operator', v: 'visitor' };
/** Of older events and of those whose metadata leave it out. */
const actorInData = (data: any): unknown => data.by ?? data.senderId ?? data.creatorId ?? data.userId;
const SECRET = new Set(['passwordHash', 'hash', 'token', 'tokens', 'config']);

/** Whether ranges of IDs have the ID. */
export const within = (ids: readonly (readonly [number, number])[] | undefined, id: number): boolean =>
  (ids ?? []).some(([first, last]) => id >= first && id <= last);

export const timeOf = ({ data, recordedAtMs }: RawEvent): number =>
  data.at ?? Math.floor((data.atMs ?? recordedAtMs) / 1000);

/** Whether the log has nothing of this second, or from before, after something that is later: clocks differ, and are set back. */
export function isCutAt(log: readonly RawEvent[], seconds: number): boolean {
  const later = log.findIndex((event) => timeOf(event) > seconds);
  return later < 0 || log.slice(later).every((event) => timeOf(event) > seconds);
}

/** Whether an event belongs to a message, other than its send. */
export const isOf = ({ data }: RawEvent, id: number): boolean =>
  data.messageId === undefined ? within(data.ids, id) : data.messageId === id;

export const isUpTo = (until: Until | undefined, position: number, at: number): boolean =>
  until === undefined || ('position' in until ? position <= until.position : at <= until.seconds);

/** The whole log in memory, and the fields that all lines of answers have. Shares no code with the product. */
export class RawLog {
  readonly #names = new Map<number, string>();
  readonly #bots = new Set<number>();
  readonly #channels = new Map<number, string>();
  readonly #visits: any[] = [];
  readonly #actors = new WeakMap<object, ExpectedRow>();
  /** Answers ask for the same moment one after the other. */
  #kept: { readonly until: Until; readonly events: readonly RawEvent[] } | undefined;

  constructor(readonly events: readonly RawEvent[]) {
    for (const { stream, type, data } of events) {
      if (stream === '1.visits') this.#visits.push(data);
      if (data.fullName !== undefined && type.startsWith('user.')) this.#names.set(data.userId, data.fullName);
      if (type === 'user.created.v1' && data.botType !== null) this.#bots.add(data.userId);
      if (type === 'channel.created.v1') this.#channels.set(data.channelId, data.name);
      if (type === 'channel.changed.v1' && data.name !== undefined) this.#channels.set(data.channelId, data.name.to);
    }
  }

  /** Of a user who is named in an answer: by what they are called at the end. */
  user(userId: number): ExpectedRow {
    return { user_id: userId, name: this.#names.get(userId) };
  }

  channelName(channelId: number): string | undefined {
    return this.#channels.get(channelId);
  }

  /** A channel in a line, by what it is called at the end. */
  channel(channelId: number): ExpectedRow {
    return { channel_id: channelId, channel: this.channelName(channelId) };
  }

  place({ to, channelId, topic }: any): ExpectedRow {
    if (to !== undefined) return { users: to.map((userId: number) => this.user(userId)) };
    return { ...this.channel(channelId), topic };
  }

  upTo(until: Until | undefined): readonly RawEvent[] {
    if (until === undefined) return this.events;
    if (this.#kept?.until !== until) {
      const events = this.events.filter((event) => isUpTo(until, event.position, timeOf(event)));
      this.#kept = { until, events };
    }
    return this.#kept.events;
  }

  after(until: Until | undefined): readonly RawEvent[] {
    return this.events.filter((event) => !isUpTo(until, event.position, timeOf(event)));
  }

  /** What answers tell of changes: those since the moment, or all of them when it is now. */
  told(until: Until | undefined): readonly RawEvent[] {
    return until === undefined ? this.events : this.after(until);
  }

  row(event: RawEvent, type: string, more: object = {}): ExpectedRow {
    const { position, stream, revision } = event;
    return {
      type,
      at: timeOf(event),
      position,
      stream,
      revision,
      event: event.type,
      actor: this.actor(event),
      ...more,
    };
  }

  /** A line with all that an event recorded, without credentials. */
  recorded(event: RawEvent, type: string, more: object = {}): ExpectedRow {
    const { by: _, at: __, entails: ___, ...data } = event.data;
    const was = event.metadata.was === undefined ? undefined : withoutSecrets(event.metadata.was);
    return this.row(event, type, { ...more, recorded: withoutSecrets(data), was });
  }

  /** One of several uses that an event notes. */
  use(
    event: RawEvent,
    { kind, o, at, again, how, userId, name, key, session, fileId, exportId, call }: any,
  ): ExpectedRow {
    const row = this.row({ ...event, metadata: { o } }, 'used', { use: kind, again, how, call });
    return { ...row, at, user_id: userId, name, key, session, file_id: fileId, export_id: exportId };
  }

  actor(event: Pick<RawEvent, 'data' | 'metadata'>): ExpectedRow {
    let actor = this.#actors.get(event);
    if (actor === undefined) this.#actors.set(event, (actor = this.#actorOf(event)));
    return actor;
  }

  #actorOf({ data, metadata }: Pick<RawEvent, 'data' | 'metadata'>): ExpectedRow {
    const [, , id, other, visit, request, cause] = ORIGIN.exec(metadata.o) ?? [];
    const named = actorInData(data);
    const userId = Number(id ?? (other === undefined || (other === 'v' && data.by !== undefined) ? named : undefined));
    const from = visit === undefined ? {} : this.#requested(Number.parseInt(visit, 36), request);
    const because = cause === undefined ? {} : { cause: `1.${cause}` };
    if (Number.isNaN(userId)) return { kind: OTHERS[other ?? ''], ...because, ...from };
    return { kind: this.#bots.has(userId) ? 'bot' : 'user', ...this.user(userId), ...because, ...from };
  }

  #requested(visit: number, request = ''): object {
    const { requests, client, version, session, address } = this.#visits[visit - 1];
    return { request: `${requests}${request}`, client, version, session, address };
  }
}

function withoutSecrets(value: any): any {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => (SECRET.has(name) ? [] : [[name, withoutSecrets(one)]])),
  );
}

/** Holders of a permission, as lines tell them. */
export const holders = (setting: any): unknown =>
  setting?.directMembers === undefined
    ? setting
    : { direct_members: setting.directMembers, direct_subgroups: setting.directSubgroups };

export const permissionsIn = (permissions: object): object =>
  Object.fromEntries(Object.entries(permissions).map(([name, setting]) => [name, holders(setting)]));
