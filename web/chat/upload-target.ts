/** The place of a file that is uploaded: its link goes there, also when the reader is elsewhere by then. */
import { useLayoutEffect } from 'react';
import { say } from './announcer.js';
import type { ComposerText } from './composer-text.js';
import type { DraftKeeper, Typed } from './draft-keeper.js';

/** Where the link of a file goes, and what is said of it until then. */
export type UploadTarget = Pick<ComposerText, 'insert' | 'note' | 'refuse'>;

const NOTHING: Typed = { content: '', topic: '', caret: 0 };

/** The composer that is shown. There is one at most. */
let shown: { readonly key: string; readonly target: UploadTarget } | undefined;

/** A target that stays that of the keeper's place: its composer while that is shown, otherwise its draft. */
export function useUploadTarget(keeper: DraftKeeper, { insert, note, refuse }: UploadTarget): UploadTarget {
  useLayoutEffect(() => {
    const mine = { key: keeper.key, target: { insert, note, refuse } };
    shown = mine;
    return () => {
      if (shown === mine) shown = undefined;
    };
  }, [keeper]);
  const composer = (): UploadTarget | undefined => (shown?.key === keeper.key ? shown.target : undefined);
  return {
    insert(link) {
      const here = composer();
      if (here === undefined) keeper.set(withLine(keeper.get() ?? NOTHING, link));
      else here.insert(link);
    },
    note: (text) => composer()?.note(text),
    // The file is named; whoever dropped it has to know wherever they are.
    refuse: (reason) => (composer()?.refuse ?? say)(reason),
  };
}

/** As a composer inserts: at the caret, on a line of its own. */
function withLine({ content, topic, caret }: Typed, added: string): Typed {
  const before = content.slice(0, caret);
  const line = before === '' || before.endsWith('\n') ? added : `\n${added}`;
  return { content: before + line + content.slice(caret), topic, caret: caret + line.length };
}
