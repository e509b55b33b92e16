import type { ReactNode } from 'react';
import { entryWords as words } from '../../shared/en-entries.js';
import { IconButton, widgetClasses } from '../../shared/widgets.js';
import { paneClasses as classes } from '../../settings/panes.js';
import type { Move } from './use-order.js';

/** One entry of a list of the organization, and what can be done with it: whatever is absent cannot be done. */
export function EntryRow(props: {
  readonly name: string;
  /** What stands for it; without it, its name. */
  readonly children?: ReactNode;
  readonly detail?: ReactNode;
  readonly move?: Move | undefined;
  readonly onChange?: (() => void) | undefined;
  readonly onRemove?: (() => void) | undefined;
}): ReactNode {
  const { name, children = name, detail, move, onChange, onRemove } = props;
  return (
    <li className={classes['row']}>
      <span className={classes['grow']}>
        {children}
        {detail !== undefined && <span className={classes['detail']}>{detail}</span>}
      </span>
      <span className={classes['acts']}>
        {move !== undefined && (
          <>
            <IconButton icon="up" label={words.moveUp(name)} disabled={move.up === undefined} onClick={move.up} />
            <IconButton
              icon="down"
              label={words.moveDown(name)}
              disabled={move.down === undefined}
              onClick={move.down}
            />
          </>
        )}
        {onChange !== undefined && (
          <button
            type="button"
            className={widgetClasses['button']}
            aria-label={words.changeOf(name)}
            onClick={onChange}
          >
            {words.change}
          </button>
        )}
        {onRemove !== undefined && (
          <button
            type="button"
            className={widgetClasses['button']}
            aria-label={words.removeOf(name)}
            onClick={onRemove}
          >
            {words.remove}
          </button>
        )}
      </span>
    </li>
  );
}
