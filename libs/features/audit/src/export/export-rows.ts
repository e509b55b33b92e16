import { messageIdOf, streams } from '#event-store';
import type { Clock } from '#kernel';
import { Slices } from '#kernel';
import type { Directory } from '#people';
import type { WireActor } from '../actor.js';
import type { AuditCalls } from '../calls/audit-calls.js';
import type { RecordedCall } from '../calls/audit-calls.js';
import type { AnswerLog } from '../log/answer-log.js';
import type { MessageEvents } from '../messages/message-events.js';
import type { StoryEvent } from '../messages/message-events.js';
import type { MessageStory } from '../messages/message-story.js';
import type { SentEvent } from '../messages/sends.js';
import { isEventUpTo, type Moment } from '../moment.js';
import type { Moments } from '../past/moments.js';
import type { PastDirectory } from '../past/past-directory.js';
import type { PlacesReader } from '../places/places.reader.js';
import { subjects } from '../places/place-row.js';
import { type Row, rowOf } from '../rows.js';
import type { ExportCandidates } from './export-candidates.js';
import { isRuledOut, isSelected, needsChanges, type Selection } from './export-selection.js';

/** Messages that are looked up together: up to 100 kB each. */
const TOGETHER = 16;

/** What an export is about. */
export interface ExportQuestion {
  readonly selection: Selection;
  /** Place in the log up to which an earlier export went, as stream and revision: only messages that have changed since. */
  readonly since: string | undefined;
  /** ID of the last message of an export that was broken off. */
  readonly afterMessage: number;
}

interface Head {
  readonly sent: SentEvent;
  /** Something happened to it after it was sent, perhaps later than the moment. */
  readonly isChanged: boolean;
}

/**
 * Messages with everything that they ever were, in the order of their IDs, each told as a whole with its files; with `since`, files that were
 * removed; then the users and channels that the numbers stand for. The rows depend on the log and on the moment alone, never on what happened later.
 */
export class ExportRows {
  constructor(
    private readonly directory: Directory,
    private readonly store: AnswerLog,
    private readonly calls: AuditCalls,
    private readonly candidates: ExportCandidates,
    private readonly events: MessageEvents,
    private readonly stories: MessageStory,
    private readonly places: PlacesReader,
    private readonly moments: Moments,
    private readonly past: PastDirectory,
    private readonly clock: Clock,
  ) {}

  async *rows(question: ExportQuestion, asked: Moment, call: RecordedCall): AsyncGenerator<Row, void, void> {
    const { selection, since, afterMessage } = question;
    const moment = fixed(asked, call, this.clock.nowSeconds());
    const lastId = await this.moments.lastMessageId(moment);
    const changed = since === undefined ? undefined : await this.candidates.since(since, moment, call.position);
    yield await this.calls.row(call, 'export', { as_of: textOf(moment), last_message_id: lastId });
    const ids = changed?.messageIds ?? this.candidates.ids(selection, afterMessage, lastId);
    for await (const { sent, isChanged } of this.#heads(ids, selection, afterMessage, lastId)) {
      if (!isEventUpTo(moment, sent)) continue;
      const id = messageIdOf(sent.revision);
      const changes = (): AsyncIterable<StoryEvent> => (isChanged ? this.events.changes(id) : nothing());
      if (needsChanges(selection) && !(await isSelected(selection, sent, changes(), moment))) continue;
      for await (const row of this.stories.itself(sent, changes(), moment)) yield withoutNames(row);
    }
    for (const event of changed?.removals ?? []) if (isEventUpTo(moment, event)) yield this.#removal(event);
    yield* this.#names(moment, call);
  }

  /** Whether the file is in a message that the selection has. */
  async hasFile(selection: Selection, messageId: number, fileId: number, moment: Moment): Promise<boolean> {
    const sent = await this.events.sent(messageId);
    if (sent === undefined || !isEventUpTo(moment, sent) || isRuledOut(selection, sent)) return false;
    const changes = (): AsyncIterable<StoryEvent> => this.events.changes(messageId);
    if (needsChanges(selection) && !(await isSelected(selection, sent, changes(), moment))) return false;
    for await (const row of this.stories.itself(sent, changes(), moment))
      if (row.type === 'file_uploaded' && row['file_id'] === fileId) return true;
    return false;
  }

  /** Sends of messages that are not ruled out, looked up some at a time, in slices: those that are ruled out have no line after which others could go on. */
  async *#heads(
    ids: Iterable<number> | AsyncIterable<number>,
    selection: Selection,
    afterMessage: number,
    lastId: number,
  ): AsyncGenerator<Head, void, void> {
    const slices = new Slices();
    let batch: number[] = [];
    for await (const id of ids) {
      if (slices.isOver) await slices.next();
      if (id <= afterMessage || id > lastId) continue;
      batch.push(id);
      if (batch.length < TOGETHER) continue;
      yield* await this.#headsOf(batch, selection);
      batch = [];
    }
    yield* await this.#headsOf(batch, selection);
  }

  async #headsOf(ids: readonly number[], selection: Selection): Promise<readonly Head[]> {
    const sends = await this.events.sends(ids);
    const chosen = ids.flatMap((id) => sends.get(id) ?? []).filter((sent) => !isRuledOut(selection, sent));
    return Promise.all(
      chosen.map(async (sent) => ({ sent, isChanged: await this.#isChanged(messageIdOf(sent.revision)) })),
    );
  }

  async #isChanged(id: number): Promise<boolean> {
    const own = await this.store.readStream(streams.message(id), { from: 0, limit: 1 });
    if (own.length > 0 || this.store.isDamaged(streams.message(id), 0)) return true;
    return (await this.places.before(subjects.leaving(id), Number.MAX_SAFE_INTEGER)) !== undefined;
  }

  /** It does not name messages, since the export may have them from before. */
  #removal(event: StoryEvent): Row {
    const { fileId, reason } = event.data as { readonly fileId: number; readonly reason: string };
    return withoutNames(rowOf(this.directory, event, 'file_removed', { file_id: fileId, reason }));
  }

  /** Users and channels as they were at the moment. */
  async *#names(moment: Moment, { position, revision }: RecordedCall): AsyncGenerator<Row, void, void> {
    const then = await this.past.at(moment);
    const actor: WireActor = { kind: 'server' };
    const at = this.clock.nowSeconds();
    const place = { at, position, stream: streams.audit, revision, event: 'audit.called.v1', actor };
    for (const { userId, fullName, email, role, isActive, botType } of then.users())
      yield {
        ...{ type: 'user', ...place, user_id: userId, full_name: fullName, email, role },
        ...{ is_active: isActive, is_bot: botType !== null },
      };
    for (const { channelId, name, description, inviteOnly, isArchived } of then.channels())
      yield {
        ...{ type: 'channel', ...place, channel_id: channelId, name, description },
        ...{ invite_only: inviteOnly, is_archived: isArchived },
      };
  }
}

/** The moment up to which an export goes: that of the call at the latest, so that it does not change while it is written. */
function fixed(asked: Moment, { position }: RecordedCall, nowSeconds: number): Moment {
  if (asked.kind === 'position') return { kind: 'position', position: Math.min(asked.position, position) };
  return asked.kind === 'time' && asked.seconds < nowSeconds ? asked : { kind: 'position', position };
}

function textOf(moment: Moment): string | undefined {
  if (moment.kind === 'now') return undefined;
  return moment.kind === 'position' ? `@${moment.position}` : String(moment.seconds);
}

interface Named {
  readonly name?: string;
  readonly channel?: string;
  readonly users?: readonly { readonly user_id: number }[];
}

/** What people and channels are called now is no matter of the log up to the moment: lines of their own tell what they were called then. */
function withoutNames(row: Row): Row {
  const { actor, sender, place, from, to } = row as unknown as Readonly<Record<string, Named | undefined>>;
  const bare = {
    actor: nameless(actor),
    sender: nameless(sender),
    place: nameless(place),
    from: nameless(from),
    to: nameless(to),
  };
  const given = Object.entries(bare).filter(([, value]) => value !== undefined);
  return { ...row, ...Object.fromEntries(given) };
}

function nameless(named: Named | undefined): object | undefined {
  if (named === undefined) return undefined;
  const { name: _, channel: __, users, ...rest } = named;
  return users === undefined ? rest : { users: users.map(({ user_id }) => ({ user_id })) };
}

async function* nothing(): AsyncGenerator<StoryEvent, void, void> {
  // No message has fewer changes.
}
