import { type ReactNode, useId } from 'react';
import type { State } from '#client';
import { useChatState } from '../chat/model/hooks.js';
import { personName } from '../chat/places.js';
import { call } from '../shared/api.js';
import { settingsWords as words } from '../shared/en-settings.js';
import { widgetClasses } from '../shared/widgets.js';
import { paneClasses as classes } from './panes.js';
import { PersonPicker } from './person-picker.js';
import { FIELD, optionsOf, peopleOf, type ProfileField, valueOf } from './profile-fields.js';
import { Told } from './saving.js';
import { ChoiceField, TextField, useChosen } from './setting-field.js';

/** Longest that the server takes, in characters. */
const LENGTH_MAX: Readonly<Record<number, number>> = { [FIELD.long]: 500, [FIELD.link]: 2000 };
const SHORT_LENGTH_MAX = 50;
const INPUTS: Readonly<Record<number, 'date' | 'url'>> = { [FIELD.date]: 'date', [FIELD.link]: 'url' };

/** What the reader has put into a field of the organization. */
export function ProfileValue(props: {
  readonly field: ProfileField;
  readonly me: ReturnType<NonNullable<State['users']>['get']>;
  readonly isAdministrator: boolean;
}): ReactNode {
  const { field, me, isAdministrator } = props;
  const { id, type, name, hint, required: isRequired, editable_by_user: isEditable } = field;
  const value = valueOf(me, field);
  const save = (next: string | readonly number[]): Promise<unknown> =>
    next.length === 0
      ? call('DELETE', '/users/me/profile_data', { data: [id] })
      : call('PATCH', '/users/me/profile_data', { data: [{ id, value: next }] });
  const common = {
    label: name,
    hint: [hint, isRequired && value === '' ? words.fieldRequired : ''].filter(Boolean).join(' · ') || undefined,
    because: isEditable || isAdministrator ? undefined : words.onlyAdministrators,
  };
  if (type === FIELD.people) return <PeopleValue {...common} userIds={peopleOf(value)} save={save} />;
  if (type === FIELD.choice) {
    const choices = optionsOf(field).map(({ key, text }) => [key, text] as const);
    return (
      <ChoiceField
        {...common}
        value={value}
        choices={[['', words.noValue], ...choices]}
        save={(next) => save(String(next))}
      />
    );
  }
  return (
    <TextField
      {...common}
      value={value}
      lengthMax={LENGTH_MAX[type] ?? SHORT_LENGTH_MAX}
      isLong={type === FIELD.long}
      type={INPUTS[type] ?? 'text'}
      save={(next) => save(String(next))}
    />
  );
}

/** People who are chosen one by one. */
function PeopleValue(props: {
  readonly label: string;
  readonly hint: string | undefined;
  readonly because: string | undefined;
  readonly userIds: readonly number[];
  readonly save: (userIds: readonly number[]) => Promise<unknown>;
}): ReactNode {
  const { label, hint, because, userIds, save } = props;
  const state = useChatState();
  // Somebody who is added before the server tells of the one before does not replace them.
  const { phase, choose, shown } = useChosen(JSON.stringify(userIds), (next) => save(idsIn(next)));
  const chosen = idsIn(shown);
  const set = (ids: readonly number[]): void => choose(JSON.stringify(ids));
  const id = useId();
  return (
    <div className={classes['people']} role="group" aria-labelledby={id}>
      <span id={id}>{label}</span>
      {[hint, because].filter(Boolean).map((text) => (
        <p key={text} className={classes['hint']}>
          {text}
        </p>
      ))}
      <ul>
        {chosen.map((userId) => {
          const name = personName(state, userId);
          return (
            <li key={userId} className={classes['row']}>
              <span className={classes['grow']}>{name}</span>
              {because === undefined && (
                <button
                  type="button"
                  className={widgetClasses['button']}
                  aria-label={words.removeOf(name)}
                  onClick={() => set(chosen.filter((other) => other !== userId))}
                >
                  {words.remove}
                </button>
              )}
            </li>
          );
        })}
      </ul>
      {because === undefined && (
        <PersonPicker label={words.addTo(label)} excluded={chosen} choose={(userId) => set([...chosen, userId])} />
      )}
      <Told phase={phase} />
    </div>
  );
}

const idsIn = (chosen: string): readonly number[] => JSON.parse(chosen) as readonly number[];
