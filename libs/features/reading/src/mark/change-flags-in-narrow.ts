import { Command } from '@nestjs/cqrs';
import { command } from '#feature';
import { lean } from '#messages';
import type { User } from '#users/model';
import type { FlagOperation, SettableFlag } from './flags.decider.js';
import type { NarrowTerm } from '../narrow/narrow-terms.js';
import { NarrowedMessages, type MessageWindow } from '../narrow/narrowed-messages.js';
import { FlagWriter } from './change-flags.js';

/** The processed window, and the changes (endpoints.md §4, POST /messages/flags/narrow). */
export interface FlaggedWindow {
  readonly processedCount: number;
  readonly updatedCount: number;
  /** null when the window was empty. */
  readonly firstProcessedId: number | null;
  readonly lastProcessedId: number | null;
  readonly foundOldest: boolean;
  readonly foundNewest: boolean;
  /** Channels that were skipped because the user is not subscribed; ascending. */
  readonly ignoredChannelIds: readonly number[];
}

/** Sets or removes a flag of all messages of a narrow, around an anchor. */
export class ChangeFlagsInNarrowCommand extends Command<FlaggedWindow> {
  constructor(
    readonly actor: User,
    readonly terms: readonly NarrowTerm[],
    readonly window: MessageWindow,
    readonly op: FlagOperation,
    readonly flag: SettableFlag,
  ) {
    super();
  }
}

export const changeFlagsInNarrow = command(
  ChangeFlagsInNarrowCommand,
  { narrowed: NarrowedMessages, writer: FlagWriter },
  async ({ actor, terms, window, op, flag }, { narrowed, writer }) => {
    const narrow = await narrowed.narrow(actor, terms);
    const { messages, foundOldest, foundNewest } = await narrowed.around(actor, narrow, window, async (found) => ({
      chosen: found.map((message) => ({ ...message, doc: lean(message.doc) })),
    }));
    const { ids, ignoredChannelIds } = await writer.change(actor, messages, op, flag);
    return {
      processedCount: messages.length,
      updatedCount: ids.length,
      firstProcessedId: messages[0]?.id ?? null,
      lastProcessedId: messages.at(-1)?.id ?? null,
      foundOldest,
      foundNewest,
      ignoredChannelIds,
    };
  },
);
