import { type ReactNode, useRef, useState } from 'react';
import { reasonOf } from '../shared/api.js';
import { settingsWords as words } from '../shared/en-settings.js';
import { InTurn } from '../shared/in-turn.js';
import { widgetClasses } from '../shared/widgets.js';
import { paneClasses as classes } from './panes.js';

type Phase = { readonly kind: 'idle' | 'saving' | 'saved' } | { readonly kind: 'refused'; readonly reason: string };

export interface Saving {
  readonly phase: Phase;
  /** @returns whether it was done; a refusal is shown where `Told` stands */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly refuse: (reason: string) => void;
}

/** Something that the server is asked to do, and what came of it. */
export function useSaving(): Saving {
  const [phase, setPhase] = useState<Phase>({ kind: 'idle' });
  const [turns] = useState(() => new InTurn());
  const newest = useRef(0);
  const refuse = (reason: string): void => setPhase({ kind: 'refused', reason });
  const run: Saving['run'] = async (work) => {
    setPhase({ kind: 'saving' });
    const mine = ++newest.current;
    try {
      await turns.run(work);
      if (mine === newest.current) setPhase({ kind: 'saved' });
      return true;
    } catch (error) {
      refuse(reasonOf(error));
      return false;
    }
  };
  return { phase, run, refuse };
}

/** What came of it, beside the field. */
export function Told(props: {
  readonly phase: Phase;
  readonly id?: string;
  readonly saved?: string | undefined;
}): ReactNode {
  const { phase, id, saved = words.saved } = props;
  return (
    <div id={id} className={classes['told']} aria-live="polite">
      {phase.kind === 'refused' && <p className={widgetClasses['error']}>{phase.reason}</p>}
      {phase.kind === 'saving' && <p className={classes['saved']}>{words.saving}</p>}
      {phase.kind === 'saved' && <p className={classes['saved']}>{saved}</p>}
    </div>
  );
}

/** Empties a field whose text was taken, unless other text was typed into it since. */
export const emptied =
  (taken: string) =>
  (newest: string): string =>
    newest === taken ? '' : newest;
