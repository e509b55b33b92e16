import { type ReactNode, useId, useState } from 'react';
import { DialogForm } from '../../shared/dialog-form.js';
import { useWhileThere } from '../../shared/while-there.js';
import { Dialog, widgetClasses } from '../../shared/widgets.js';
import { paneClasses as classes } from '../../settings/panes.js';
import { useSaving } from '../../settings/saving.js';

/**
 * Asks for the parts of an entry, and stays until it is saved: what is refused is said there, and what was typed stays.
 * @param props.first what the parts are until the reader changes them; another one shows in those that they have not changed
 */
export function EntryDialog<Entry>(props: {
  readonly title: string;
  readonly act: string;
  readonly first: Entry;
  readonly save: (entry: Entry, changed: Partial<Entry>) => Promise<unknown>;
  readonly close: () => void;
  readonly children: (entry: Entry, change: (part: Partial<Entry>) => void) => ReactNode;
}): ReactNode {
  const { title, act, first, save, close, children } = props;
  const [changed, setChanged] = useState<Partial<Entry>>({});
  const entry = { ...first, ...changed };
  const { phase, run } = useSaving();
  const closeThis = useWhileThere(close);
  const submit = (): void => {
    void run(() => save(entry, changed)).then((isDone) => {
      if (isDone) closeThis();
    });
  };
  return (
    <Dialog title={title} onClose={close}>
      <DialogForm
        refusal={phase.kind === 'refused' ? phase.reason : undefined}
        onSubmit={submit}
        onCancel={close}
        act={act}
        isOff={phase.kind === 'saving'}
      >
        {children(entry, (part) => setChanged((now) => ({ ...now, ...part })))}
      </DialogForm>
    </Dialog>
  );
}

export function TextPart(props: {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly lengthMax: number;
  readonly isOptional?: boolean;
  /** Whether it is written as code is. */
  readonly isCode?: boolean;
  readonly set: (value: string) => void;
}): ReactNode {
  const { label, hint, value, lengthMax, isOptional = false, isCode = false, set } = props;
  const id = useId();
  return (
    <div className={widgetClasses['field']}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className={`${widgetClasses['input']} ${isCode ? classes['code'] : ''}`}
        value={value}
        maxLength={lengthMax}
        required={!isOptional}
        autoComplete="off"
        spellCheck={!isCode}
        aria-describedby={`${id}-hint`}
        onChange={(event) => set(event.currentTarget.value)}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className={classes['hint']}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function SwitchPart(props: {
  readonly label: string;
  readonly value: boolean;
  readonly set: (value: boolean) => void;
}): ReactNode {
  const { label, value, set } = props;
  return (
    <label className={classes['check']}>
      <input type="checkbox" checked={value} onChange={(event) => set(event.currentTarget.checked)} />
      {label}
    </label>
  );
}

export function ChoicePart<T extends number | string>(props: {
  readonly label: string;
  readonly value: T;
  readonly choices: readonly (readonly [value: T, text: string])[];
  readonly set: (value: T) => void;
}): ReactNode {
  const { label, value, choices, set } = props;
  const id = useId();
  return (
    <div className={widgetClasses['field']}>
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className={widgetClasses['input']}
        value={choices.findIndex(([one]) => one === value)}
        onChange={(event) => {
          const chosen = choices[Number(event.currentTarget.value)];
          if (chosen !== undefined) set(chosen[0]);
        }}
      >
        {choices.map(([one, text], index) => (
          <option key={one} value={index}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
