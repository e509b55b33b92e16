import type { ReactNode } from 'react';
import { useModel } from '../../chat/model/hooks.js';
import { entryWords as words } from '../../shared/en-entries.js';
import { widgetClasses } from '../../shared/widgets.js';
import { paneClasses as classes } from '../../settings/panes.js';
import { type Saving, Told } from '../../settings/saving.js';

/** A list of the organization that administrators change: others see it, and why they cannot. */
export function EntryList(props: {
  readonly hint: string;
  /** What to say where there are no entries. */
  readonly none: string;
  /** Whether the order of the entries counts. */
  readonly isOrdered?: boolean;
  readonly phase: Saving['phase'];
  readonly addLabel: string;
  readonly onAdd: () => void;
  readonly children: readonly ReactNode[];
}): ReactNode {
  const { hint, none, isOrdered = false, phase, addLabel, onAdd, children } = props;
  const isAdministrator = useModel().fields.is_admin === true;
  const List = isOrdered ? 'ol' : 'ul';
  return (
    <>
      <p className={classes['hint']}>{hint}</p>
      {!isAdministrator && <p className={classes['hint']}>{words.onlyAdministratorsHere}</p>}
      {children.length === 0 && <p className={classes['row']}>{none}</p>}
      <List>{children}</List>
      <Told phase={phase} />
      {isAdministrator && (
        <p className={classes['inline']}>
          <button type="button" className={widgetClasses['button']} onClick={onAdd}>
            {addLabel}
          </button>
        </p>
      )}
    </>
  );
}
