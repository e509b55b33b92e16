import { type ReactNode, useState } from 'react';
import { useModel } from '../chat/model/hooks.js';
import { call } from '../shared/api.js';
import { entryWords as words } from '../shared/en-entries.js';
import { widgetClasses } from '../shared/widgets.js';
import { paneClasses as classes } from '../settings/panes.js';
import {
  accountOf,
  accountsIn,
  dataOfOptions,
  type ExternalAccount,
  FIELD,
  type Option,
  optionsOf,
  type ProfileField,
} from '../settings/profile-fields.js';
import { ChoicePart, EntryDialog, SwitchPart, TextPart } from './entries/entry-dialog.js';

/** Longest that the server takes, in characters. */
const [NAME_LENGTH_MAX, HINT_LENGTH_MAX, OPTION_LENGTH_MAX, PATTERN_LENGTH_MAX] = [40, 80, 100, 1000];
/** A website that the organization names itself. */
const CUSTOM = 'custom';
/** A summary has no room for these. */
const TOO_LONG: readonly number[] = [FIELD.long, FIELD.people];

interface Draft {
  readonly type: number;
  readonly name: string;
  readonly hint: string;
  readonly options: readonly Option[];
  readonly subtype: string;
  readonly pattern: string;
  readonly isInSummary: boolean;
  readonly isRequired: boolean;
  readonly isEditable: boolean;
}

const EMPTY: Draft = {
  type: FIELD.short,
  name: '',
  hint: '',
  options: [{ key: '1', text: '' }],
  subtype: CUSTOM,
  pattern: '',
  isInSummary: false,
  isRequired: false,
  isEditable: true,
};

function draftOf(field: ProfileField): Draft {
  const { type, name, hint } = field;
  return {
    ...EMPTY,
    ...(type === FIELD.account && accountOf(field)),
    ...(type === FIELD.choice && { options: optionsOf(field) }),
    type,
    name,
    hint,
    isInSummary: field.display_in_profile_summary === true,
    isRequired: field.required,
    isEditable: field.editable_by_user,
  };
}

/** @param isKnown whether the server gives the name and the hint of the account */
function paramsOf(draft: Draft, isKnown: boolean): Readonly<Record<string, unknown>> {
  const { type, name, hint, subtype, pattern } = draft;
  return {
    display_in_profile_summary: draft.isInSummary && !TOO_LONG.includes(type),
    required: draft.isRequired,
    editable_by_user: draft.isEditable,
    ...(!isKnown && { name, hint }),
    ...(type === FIELD.choice && { field_data: dataOfOptions(draft.options) }),
    ...(type === FIELD.account && { field_data: isKnown ? { subtype } : { subtype, url_pattern: pattern } }),
  };
}

/** A new field, or one that is changed: its kind stays. */
export function ProfileFieldDialog(props: {
  readonly field: ProfileField | 'new';
  readonly close: () => void;
}): ReactNode {
  const { field, close } = props;
  const accounts = accountsIn(useModel().fields);
  const isNew = field === 'new';
  const save = (draft: Draft): Promise<unknown> => {
    const params = paramsOf(draft, isKnownAccount(draft, accounts));
    return isNew
      ? call('POST', '/realm/profile_fields', { ...params, field_type: draft.type })
      : call('PATCH', `/realm/profile_fields/${field.id}`, params);
  };
  return (
    <EntryDialog
      title={isNew ? words.fieldNew : words.fieldChange}
      act={isNew ? words.add : words.save}
      first={isNew ? EMPTY : draftOf(field)}
      save={save}
      close={close}
    >
      {(draft, change) => <Parts draft={draft} change={change} isNew={isNew} accounts={accounts} />}
    </EntryDialog>
  );
}

type Accounts = Readonly<Record<string, ExternalAccount>>;

const isKnownAccount = ({ type, subtype }: Draft, accounts: Accounts): boolean =>
  type === FIELD.account && accounts[subtype] !== undefined;

function Parts(props: {
  readonly draft: Draft;
  readonly change: (part: Partial<Draft>) => void;
  readonly isNew: boolean;
  readonly accounts: Accounts;
}): ReactNode {
  const { draft, change, isNew, accounts } = props;
  const { type, subtype } = draft;
  const websites = [
    ...Object.entries(accounts).map(([key, { text }]) => [key, text] as const),
    [CUSTOM, words.fieldOtherWebsite] as const,
  ];
  const types = Object.values(FIELD).map((one) => [one as number, words.fieldTypes[one] ?? ''] as const);
  const isKnown = isKnownAccount(draft, accounts);
  return (
    <>
      {isNew ? (
        <ChoicePart label={words.fieldType} value={type} choices={types} set={(next) => change({ type: next })} />
      ) : (
        <p className={classes['hint']}>{words.fieldTypes[type]}</p>
      )}
      {type === FIELD.account && isNew && (
        <ChoicePart
          label={words.fieldWebsite}
          value={subtype}
          choices={websites}
          set={(next) => change({ subtype: next })}
        />
      )}
      {isKnown ? (
        <p className={classes['hint']}>{words.fieldKnownWebsite}</p>
      ) : (
        <>
          <TextPart
            label={words.name}
            value={draft.name}
            lengthMax={NAME_LENGTH_MAX}
            set={(name) => change({ name })}
          />
          <TextPart
            label={words.fieldHint}
            value={draft.hint}
            lengthMax={HINT_LENGTH_MAX}
            isOptional
            set={(hint) => change({ hint })}
          />
        </>
      )}
      {type === FIELD.account && !isKnown && (
        <TextPart
          label={words.urlTemplate}
          hint={words.fieldPatternHint}
          value={draft.pattern}
          lengthMax={PATTERN_LENGTH_MAX}
          isCode
          set={(pattern) => change({ pattern })}
        />
      )}
      {type === FIELD.choice && <Options options={draft.options} set={(options) => change({ options })} />}
      <div>
        {!TOO_LONG.includes(type) && (
          <SwitchPart
            label={words.fieldInSummary}
            value={draft.isInSummary}
            set={(isInSummary) => change({ isInSummary })}
          />
        )}
        <SwitchPart label={words.fieldRequire} value={draft.isRequired} set={(isRequired) => change({ isRequired })} />
        <SwitchPart label={words.fieldEditable} value={draft.isEditable} set={(isEditable) => change({ isEditable })} />
      </div>
    </>
  );
}

const lastKeyOf = (options: readonly Option[]): number =>
  Math.max(0, ...options.map(({ key }) => Number(key)).filter(Number.isInteger));

/** An option keeps its key when its text changes: people who have chosen it keep it. */
function Options(props: {
  readonly options: readonly Option[];
  readonly set: (options: readonly Option[]) => void;
}): ReactNode {
  const { options, set } = props;
  // One that is removed here may have been chosen: its key is not given again.
  const [lastBefore] = useState(() => lastKeyOf(options));
  const add = (): void => {
    const key = String(Math.max(lastBefore, lastKeyOf(options)) + 1);
    set([...options, { key, text: '' }]);
  };
  return (
    <fieldset className={classes['methods']}>
      <legend>{words.fieldOptions}</legend>
      <div className={classes['stack']}>
        {options.map(({ key, text }, index) => (
          <div key={key} className={classes['option']}>
            <input
              className={widgetClasses['input']}
              aria-label={words.fieldOption(index + 1)}
              value={text}
              required
              maxLength={OPTION_LENGTH_MAX}
              autoComplete="off"
              autoFocus={Number(key) > lastBefore}
              onChange={({ currentTarget: { value } }) =>
                set(options.map((one) => (one.key === key ? { key, text: value } : one)))
              }
            />
            {options.length > 1 && (
              <button
                type="button"
                className={widgetClasses['button']}
                aria-label={words.removeOf(words.fieldOption(index + 1))}
                onClick={() => set(options.filter((one) => one.key !== key))}
              >
                {words.remove}
              </button>
            )}
          </div>
        ))}
        <button type="button" className={widgetClasses['button']} onClick={add}>
          {words.fieldOptionAdd}
        </button>
      </div>
    </fieldset>
  );
}
