import type { User } from '#users/model';
import { rounds, SEED, sized, executing } from '#testing';
import { FlagWriter } from '../mark/change-flags.js';
import { ChangeFlagsInNarrowCommand, changeFlagsInNarrow } from '../mark/change-flags-in-narrow.js';
import { NEWEST_ANCHOR, type Anchor } from '../narrow/anchor.js';
import { matchMessages, MatchMessagesQuery } from './match-messages.js';
import { NarrowHistory } from '../narrow/narrow-history.fixture.js';
import type { ModelTerm } from '../narrow/narrow-model.fixture.js';
import { narrowTermsOf, type WireNarrow } from '../narrow/narrow-terms.js';

const STEPS = 160;
const NARROWS = sized({ nightly: 500, usual: 250 });
/** Each history has its own seed, which a failure reports. */
const HISTORIES = Array.from({ length: rounds(sized({ nightly: 12, usual: 2 })) }, (_, index) => SEED + index);

interface Asked {
  readonly anchor: Anchor;
  readonly before: number;
  readonly after: number;
  readonly includeAnchor: boolean;
}

/** IDs that the window must contain, of the matching ones. */
function windowOf(ids: readonly number[], anchor: number, { before, after, includeAnchor }: Asked) {
  const older = ids.filter((id) => id < anchor);
  const newer = ids.filter((id) => id > anchor);
  const at = includeAnchor ? ids.filter((id) => id === anchor) : [];
  return {
    ids: [...(before === 0 ? [] : older.slice(-before)), ...at, ...newer.slice(0, after)],
    anchor,
    foundAnchor: at.length > 0,
    foundOldest: anchor === 0 || older.length < before,
    foundNewest: anchor === NEWEST_ANCHOR || newer.length < after,
  };
}

describe('narrows agree with a plain array and a filter', () => {
  test.each(HISTORIES)('history %i', async (seed) => {
    const history = await NarrowHistory.tell(seed, STEPS);
    const { world, model } = history;
    const inNarrow = executing(changeFlagsInNarrow, {
      narrowed: world.narrowed,
      writer: new FlagWriter(world.directory, world.runner, world.clock, world.announcer),
    });
    const matching = executing(matchMessages, world);
    const check = async (viewer: User, terms: readonly ModelTerm[], asked: Asked): Promise<void> => {
      const narrow = await world.narrowed.narrow(viewer, narrowTermsOf(terms as WireNarrow));
      const found = await world.narrowed.around(viewer, narrow, asked, async (chosen) => ({ chosen }));
      const anchor =
        asked.anchor === 'first_unread' ? (model.firstUnread(viewer.userId, terms) ?? NEWEST_ANCHOR) : asked.anchor;
      const { messages, ...rest } = found;
      expect({ terms, viewer: viewer.email, asked, ids: messages.map(({ id }) => id), ...rest }).toEqual({
        terms,
        viewer: viewer.email,
        asked,
        ...windowOf(model.matching(viewer.userId, terms), anchor, asked),
      });
      for (const { id, flags } of messages)
        expect({ id, flags: [...flags].sort() }).toEqual({
          id,
          flags: model.flagsOf(viewer.userId, history.message(id)),
        });
    };
    const changeFlags = async (viewer: User, terms: readonly ModelTerm[], asked: Asked & { anchor: number }) => {
      const op = history.pick(['add', 'remove'] as const);
      const flag = history.pick(['read', 'starred', 'collapsed'] as const);
      const command = new ChangeFlagsInNarrowCommand(viewer, narrowTermsOf(terms as WireNarrow), asked, op, flag);
      const done = await inNarrow.execute(command);
      const { ids, foundOldest, foundNewest } = windowOf(model.matching(viewer.userId, terms), asked.anchor, asked);
      const before = new Map(ids.map((id) => [id, model.flagsOf(viewer.userId, history.message(id)).join()]));
      for (const id of ids) model.flag(viewer.userId, history.message(id), op, flag);
      const changed = ids.filter((id) => before.get(id) !== model.flagsOf(viewer.userId, history.message(id)).join());
      expect({ terms, op, flag, ...done }).toMatchObject({
        terms,
        processedCount: ids.length,
        updatedCount: changed.length,
        firstProcessedId: ids[0] ?? null,
        lastProcessedId: ids.at(-1) ?? null,
        foundOldest,
        foundNewest,
      });
    };
    let matched = 0;
    for (let count = 0; count < NARROWS; count++) {
      const viewer = world.again(history.pick(history.users));
      const terms = history.narrow(viewer);
      if (model.matching(viewer.userId, terms).length > 0) matched++;
      const anchors: Anchor[] = [NEWEST_ANCHOR, 0, 'first_unread', 1 + history.below(model.messages.length + 10)];
      const includeAnchor = history.chance(0.8);
      const before = history.pick([0, 1, 3, 500]);
      const after = includeAnchor || before === 0 ? history.pick([0, 1, 3, 500]) : 0;
      await check(viewer, terms, { anchor: history.pick(anchors), before, after, includeAnchor });
      if (history.chance(0.1)) {
        const anchor = 1 + history.below(model.messages.length + 10);
        await changeFlags(viewer, terms, { anchor, before, after, includeAnchor });
      }
      const ids = history.some(model.messages, 0.3).map(({ id }) => id);
      const matches = await matching.execute(new MatchMessagesQuery(viewer, ids, narrowTermsOf(terms)));
      const expected = model
        .matching(viewer.userId, terms)
        .filter((id) => ids.includes(id) && model.isOwn(viewer.userId, history.message(id)));
      expect(Object.keys(matches).map(Number)).toEqual(expected);
    }
    // Most narrows must find something, or agreement proves little.
    expect(matched).toBeGreaterThan(NARROWS / 3);
    await world.destroy();
  });
});
