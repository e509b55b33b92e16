import { type ReactNode, useState } from 'react';
import { organizationWords as words } from '../shared/en-organization.js';
import { widgetClasses } from '../shared/widgets.js';
import { paneClasses as classes } from '../settings/panes.js';
import { emptied } from '../settings/saving.js';

/** Asks for the name of something new, and keeps it until that is made. */
export function NewName(props: {
  readonly label: string;
  /** Resolves to whether it was made. */
  readonly create: (name: string) => Promise<boolean>;
}): ReactNode {
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const create = async (): Promise<void> => {
    // A second one would be refused, since the name is in use.
    if (isBusy) return;
    setBusy(true);
    const isDone = await props.create(name.trim());
    setBusy(false);
    // What was typed meanwhile stays.
    if (isDone) setName(emptied(name));
  };
  return (
    <form
      className={classes['inline']}
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <label className={widgetClasses['field']}>
        {props.label}
        <input
          className={widgetClasses['input']}
          value={name}
          required
          maxLength={100}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <button type="submit" className={widgetClasses['button']}>
        {words.create}
      </button>
    </form>
  );
}
