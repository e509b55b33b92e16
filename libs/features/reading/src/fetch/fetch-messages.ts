import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { type JsonObject, Slices } from '#kernel';
import { Directory } from '#people';
import type { User } from '#users/model';
import { wireMessage, type WireOptions } from '../wire/wire-message.js';
import type { MessageVersion } from '../versions/message-versions.projection.js';
import { ANSWER_BYTES_MAX, AnswerBudget, type AnswerPart } from './answer-budget.js';
import { NEWEST_ANCHOR } from '../narrow/anchor.js';
import { MessageVersionsReader } from '../versions/message-versions.reader.js';
import { isOwn } from '../flags/message-flags.js';
import type { Narrow } from '../narrow/narrow.js';
import type { NarrowTerm } from '../narrow/narrow-terms.js';
import type { Choice } from '../narrow/message-window.js';
import { NarrowedMessages, type MessageWindow } from '../narrow/narrowed-messages.js';
import { searchedFields } from './searched-fields.js';
import type { ViewerMessage } from '../viewer/viewer-messages.js';

/** A window around an anchor, or a list of messages. */
export type Window = MessageWindow | { readonly messageIds: readonly number[] };

export interface FetchedMessages {
  /** Each as JSON text, ascending. */
  readonly messages: readonly string[];
  readonly anchor: number;
  readonly found_anchor: boolean;
  readonly found_oldest: boolean;
  readonly found_newest: boolean;
  readonly history_limited: false;
}

/**
 * Messages that match a narrow, around an anchor (endpoints.md §3, GET /messages). An answer ends before
 * `ANSWER_BYTES_MAX`, and says that there is more.
 */
export class FetchMessagesQuery extends Query<FetchedMessages> {
  constructor(
    readonly viewer: User,
    readonly terms: readonly NarrowTerm[],
    readonly window: Window,
    readonly options: WireOptions,
  ) {
    super();
  }
}

/** Each may have 256 kB of earlier versions, which its edit history shows. */
const WIRED_AT_ONCE = 8;

export const fetchMessages = query(
  FetchMessagesQuery,
  { directory: Directory, narrowed: NarrowedMessages, versions: MessageVersionsReader },
  async ({ viewer, terms, window, options }, { directory, narrowed, versions }): Promise<FetchedMessages> => {
    const narrow = await narrowed.narrow(viewer, terms);
    const wire = new MessageTexts(directory, versions, viewer, narrow, options);
    if ('messageIds' in window) {
      // Without channels in the narrow, only the viewer's own messages are in it, listed or not (endpoints.md §3,
      // "Which messages").
      const hasAll = terms.length === 0 || narrow.reachesHistory;
      const part = new AnswerBudget().part();
      const listed = await narrowed.listed(viewer, narrow, window.messageIds, (messages) =>
        wire.take(hasAll ? messages : messages.filter(isOwn), part),
      );
      return {
        messages: listed.chosen,
        anchor: NEWEST_ANCHOR,
        found_anchor: false,
        found_oldest: true,
        found_newest: listed.isAll,
        history_limited: false,
      };
    }
    const whole = new AnswerBudget();
    // Each side of the anchor gets half, and the second one what the first leaves.
    const parts = {
      at: whole.part(),
      before: whole.part(window.after > 0 ? ANSWER_BYTES_MAX / 2 : 0),
      after: whole.part(),
    };
    const found = await narrowed.around(viewer, narrow, window, (messages, side) => wire.take(messages, parts[side]));
    return {
      messages: found.messages,
      anchor: found.anchor,
      found_anchor: found.foundAnchor,
      found_oldest: found.foundOldest,
      found_newest: found.foundNewest,
      history_limited: false,
    };
  },
);

/** Messages as JSON text, for one viewer. */
class MessageTexts {
  constructor(
    private readonly directory: Directory,
    private readonly versions: MessageVersionsReader,
    private readonly viewer: User,
    private readonly narrow: Narrow,
    private readonly options: WireOptions,
  ) {}

  /** Takes as many messages as fit. */
  async take(messages: readonly ViewerMessage[], part: AnswerPart): Promise<Choice<string>> {
    const chosen: string[] = [];
    const slices = new Slices();
    for (let from = 0; from < messages.length; from += WIRED_AT_ONCE) {
      if (slices.isOver) await slices.next();
      const some = messages.slice(from, from + WIRED_AT_ONCE);
      const versions = await this.versions.ofMany(this.directory, some);
      for (const message of some) {
        const text = JSON.stringify(this.#wire(message, versions.get(message.id)));
        if (!part.spend(text)) return { chosen, isFull: true };
        chosen.push(text);
      }
    }
    return { chosen };
  }

  #wire({ id, doc, flags }: ViewerMessage, versions: readonly MessageVersion[] | undefined): JsonObject {
    const { directory, viewer, narrow, options } = this;
    const message = wireMessage(directory, viewer, id, doc, flags, options, versions);
    if (narrow.search === undefined) return message;
    return { ...message, ...searchedFields(narrow, doc, options.allowEmptyTopicName) };
  }
}
