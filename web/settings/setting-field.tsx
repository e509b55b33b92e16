import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { settingsWords as words } from '../shared/en-settings.js';
import { widgetClasses } from '../shared/widgets.js';
import type { Form } from './forms.js';
import { paneClasses as classes } from './panes.js';
import { type Saving, Told, useSaving } from './saving.js';

export type Value = boolean | number | string | null;
export type Choices = readonly (readonly [value: Value, text: string])[];

interface FieldProps {
  readonly label: string;
  readonly hint?: string | undefined;
  /** Why it cannot be changed; absent where it can. */
  readonly because?: string | undefined;
  readonly value: Value;
  readonly save: (value: Value) => Promise<unknown>;
}

/** A setting, in the form that the server's table gives it. */
export function SettingField(
  props: FieldProps & { readonly name: string; readonly form: Form; readonly choices?: Choices | undefined },
): ReactNode {
  const { name, form, choices, ...rest } = props;
  if (choices !== undefined) return <ChoiceField {...rest} choices={choices} />;
  switch (form.kind) {
    case 'switch':
      return <SwitchField {...rest} />;
    case 'number':
    case 'word':
      return <ChoiceField {...rest} choices={choicesOf(name, form.oneOf)} />;
    case 'range':
      return <NumberField {...rest} min={form.min} max={form.max} />;
    case 'count':
      return <NumberField {...rest} min={0} max={form.max} />;
    case 'time-limit':
      return <NumberField {...rest} min={1} none={{ value: null, sent: 'unlimited', text: words.unlimited }} />;
    case 'retention':
      return <NumberField {...rest} min={1} none={{ value: -1, sent: 'unlimited', text: words.forEver }} />;
    case 'text':
      return <TextField {...rest} lengthMax={form.lengthMax} isLong={form.lengthMax > 100} />;
    default:
      return <TextField {...rest} lengthMax={200} />;
  }
}

export function choicesOf(name: string, values: readonly (number | string)[]): Choices {
  const texts = words.choices[name] ?? {};
  return values.map((value) => [value, texts[value] ?? String(value)]);
}

/** The server tells of a change within this time after its answer. */
const TOLD_AFTER_MS = 10_000;

/** What the reader has chosen, at once; what is refused goes back to what it was. */
export function useChosen<T extends Value>(value: T, save: (value: T) => Promise<unknown>) {
  const { phase, run } = useSaving();
  return { phase, ...useChosenBy(run, value, save) };
}

/** The same where `run` saves other things as well. */
export function useChosenBy<T extends Value>(run: Saving['run'], value: T, save: (value: T) => Promise<unknown>) {
  const [chosen, setChosen] = useState<{ readonly value: T }>();
  // The server tells of each of several changes in a row: what was chosen last stands until it tells of that.
  useEffect(() => setChosen((now) => (now?.value === value ? undefined : now)), [value]);
  const choose = (next: T): void => {
    const mine = { value: next };
    const forget = (): void => setChosen((now) => (now === mine ? undefined : now));
    setChosen(mine);
    void run(() => save(next)).then((isDone) => {
      if (!isDone) forget();
      // Of a change and another one back that come together, nothing is seen here.
      else setTimeout(forget, TOLD_AFTER_MS);
    });
  };
  return { choose, shown: chosen === undefined ? value : chosen.value };
}

function Setting(props: {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly isLong?: boolean;
  readonly phase: Parameters<typeof Told>[0]['phase'];
  readonly saved?: string | undefined;
  readonly children: ReactNode;
}): ReactNode {
  const { id, label, hint, isLong = false, phase, saved, children } = props;
  return (
    <div className={classes['setting']} data-layout={isLong ? 'long' : 'short'}>
      <label htmlFor={id}>{label}</label>
      <div className={classes['value']}>{children}</div>
      {hint !== undefined && (
        <p id={`${id}-hint`} className={`${classes['hint']} ${classes['told']}`}>
          {hint}
        </p>
      )}
      <Told id={`${id}-told`} phase={phase} saved={saved} />
    </div>
  );
}

/** Sentences in a row; undefined when there is none. */
const joined = (...sentences: readonly (string | undefined)[]): string | undefined =>
  sentences.filter(Boolean).join(' ') || undefined;

const describedBy = (id: string): string => `${id}-hint ${id}-told`;

export function SwitchField(props: FieldProps): ReactNode {
  const { label, hint, because, value, save } = props;
  const id = useId();
  const { phase, choose, shown } = useChosen(value, save);
  return (
    <Setting id={id} label={label} hint={joined(hint, because)} phase={phase}>
      <input
        id={id}
        type="checkbox"
        checked={shown === true}
        disabled={because !== undefined}
        aria-describedby={describedBy(id)}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
    </Setting>
  );
}

export function ChoiceField(props: FieldProps & { readonly choices: Choices }): ReactNode {
  const { label, hint, because, choices, value, save } = props;
  const id = useId();
  const { phase, choose, shown } = useChosen(value, save);
  const at = choices.findIndex(([value]) => value === shown);
  return (
    <Setting id={id} label={label} hint={joined(hint, because)} phase={phase}>
      <select
        id={id}
        className={widgetClasses['input']}
        value={at}
        disabled={because !== undefined}
        aria-describedby={describedBy(id)}
        onChange={(event) => choose(choices[Number(event.currentTarget.value)]?.[0] ?? null)}
      >
        {at === -1 && <option value={-1}>{String(shown ?? '')}</option>}
        {choices.map(([value, text], index) => (
          <option key={String(value)} value={index}>
            {text}
          </option>
        ))}
      </select>
    </Setting>
  );
}

/** Text, or a number, which is saved by Enter or by a button; what was typed stays when it is refused. */
export function TextField(
  props: FieldProps & {
    readonly lengthMax: number;
    readonly isLong?: boolean;
    readonly type?: 'text' | 'email' | 'number' | 'date' | 'url';
    readonly min?: number;
    readonly max?: number | undefined;
    readonly autoComplete?: string;
    readonly parse?: (text: string) => Value;
    /** What to say when it is saved. */
    readonly saved?: string;
  },
): ReactNode {
  const { label, hint, because, value, save, lengthMax, isLong = false, type = 'text', min, max, parse } = props;
  const id = useId();
  const { phase, run } = useSaving();
  const [typed, setTyped] = useState<string>();
  const now = String(value ?? '');
  const isChanged = (typed ?? now) !== now;
  const saving = useRef<string>(undefined);
  const submit = async (): Promise<void> => {
    if (typed === undefined || typed === saving.current) return;
    saving.current = typed;
    const isDone = await run(() => save(parse === undefined ? typed : parse(typed)));
    if (saving.current === typed) saving.current = undefined;
    // What was typed meanwhile stays.
    if (isDone) setTyped((newest) => (newest === typed ? undefined : newest));
  };
  const common = {
    id,
    className: widgetClasses['input'],
    value: typed ?? now,
    disabled: because !== undefined,
    'aria-describedby': describedBy(id),
    'aria-invalid': phase.kind === 'refused',
    autoComplete: props.autoComplete ?? 'off',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => setTyped(event.currentTarget.value),
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Setting id={id} label={label} hint={joined(hint, because)} isLong={isLong} phase={phase} saved={props.saved}>
        {isLong ? (
          <textarea {...common} rows={3} maxLength={lengthMax} />
        ) : (
          <input {...common} type={type} maxLength={lengthMax} min={min} max={max} />
        )}
        {isChanged && (
          <button type="submit" className={widgetClasses['primary']}>
            {words.save}
          </button>
        )}
      </Setting>
    </form>
  );
}

/** @param props.none the value that stands for no number, and the word by which it is sent */
export function NumberField(
  props: FieldProps & {
    readonly min: number;
    readonly max?: number;
    readonly none?: { readonly value: Value; readonly sent: string; readonly text: string };
  },
): ReactNode {
  const { min, max, none, value, hint, save, ...rest } = props;
  const isNone = value === none?.value;
  return (
    <TextField
      {...rest}
      value={isNone ? '' : value}
      hint={joined(hint, none?.text)}
      type="number"
      lengthMax={20}
      min={min}
      max={max}
      parse={Number}
      save={(next) => save(next === 0 ? (none?.sent ?? next) : next)}
    />
  );
}
