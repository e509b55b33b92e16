import { type ReactNode, useState } from 'react';
import type { Fields, State } from '#client';
import { useModel } from '../chat/model/hooks.js';
import { sendFile } from '../chat/uploads.js';
import { call } from '../shared/api.js';
import { settingsWords as words } from '../shared/en-settings.js';
import { Avatar, widgetClasses } from '../shared/widgets.js';
import { textIn } from './forms.js';
import { paneClasses as classes } from './panes.js';
import { PictureChooser } from './picture-chooser.js';
import { Told, useSaving } from './saving.js';
import { ChoiceField, type Choices, TextField, type Value } from './setting-field.js';

/** Name, picture, time zone, and the fields that the organization asks for. */
export function Profile(): ReactNode {
  const { fields, users, self } = useModel();
  const me = users?.get(self);
  const isAdministrator = fields['is_admin'] === true;
  const unless = (setting: string): string | undefined =>
    fields[setting] === true && !isAdministrator ? words.onlyAdministrators : undefined;
  const zones: Choices = [
    ['', words.timezoneNone] as const,
    ...Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')] as const),
  ];
  return (
    <>
      <Picture url={textIn(fields, 'avatar_url')} because={unless('realm_avatar_changes_disabled')} />
      <TextField
        label={words.fullName}
        value={me?.full_name ?? ''}
        lengthMax={100}
        autoComplete="name"
        because={unless('realm_name_changes_disabled')}
        save={(full_name) => call('PATCH', '/settings', { full_name })}
      />
      <ChoiceField
        label={words.timezone}
        value={textIn(me ?? {}, 'timezone')}
        choices={zones}
        save={(timezone) => call('PATCH', '/settings', { timezone })}
      />
      {((fields['custom_profile_fields'] ?? []) as readonly ProfileField[]).map((field) => (
        <CustomField key={field.id} field={field} me={me} isAdministrator={isAdministrator} />
      ))}
    </>
  );
}

function Picture({ url, because }: { readonly url: string; readonly because: string | undefined }): ReactNode {
  const { phase, run } = useSaving();
  const [percent, setPercent] = useState<number>();
  const choose = (chosen: File): void => {
    void run(() => sendFile('/users/me/avatar', chosen, setPercent)).then(() => setPercent(undefined));
  };
  return (
    <div className={classes['row']} role="group" aria-label={words.picture}>
      <Avatar url={url === '' ? undefined : url} size={64} />
      {because === undefined ? (
        <>
          <PictureChooser label={words.pictureChoose} choose={choose} />
          <button
            type="button"
            className={widgetClasses['button']}
            onClick={() => void run(() => call('DELETE', '/users/me/avatar'))}
          >
            {words.pictureRemove}
          </button>
        </>
      ) : (
        <p className={classes['hint']}>{because}</p>
      )}
      {percent !== undefined && <span className={classes['saved']}>{words.pictureLarge(percent)}</span>}
      <Told phase={phase} />
    </div>
  );
}

interface ProfileField extends Fields {
  readonly id: number;
  /** 1 short text, 2 paragraph, 3 options, 4 date, 5 link, 6 users, 7 account elsewhere, 8 pronouns. */
  readonly type: number;
  readonly name: string;
  readonly hint: string;
  /** JSON. */
  readonly field_data: string;
  readonly editable_by_user: boolean;
}

const TYPES: Readonly<Record<number, 'date' | 'url'>> = { 4: 'date', 5: 'url' };

function CustomField(props: {
  readonly field: ProfileField;
  readonly me: ReturnType<NonNullable<State['users']>['get']>;
  readonly isAdministrator: boolean;
}): ReactNode {
  const { field, me, isAdministrator } = props;
  const { users } = useModel();
  const { id, type, name, hint } = field;
  const given = (me?.profile_data?.[String(id)] as { readonly value?: string } | undefined)?.value ?? '';
  const save = (value: Value | readonly number[]): Promise<unknown> =>
    value === '' || (Array.isArray(value) && value.length === 0)
      ? call('DELETE', '/users/me/profile_data', { data: [id] })
      : call('PATCH', '/users/me/profile_data', { data: [{ id, value }] });
  const because = field.editable_by_user || isAdministrator ? undefined : words.onlyAdministrators;
  const common = { label: name, hint: hint === '' ? undefined : hint, because };
  if (type === 3) {
    const options = JSON.parse(field.field_data) as Readonly<Record<string, { readonly text: string }>>;
    const choices: Choices = Object.entries(options).map(([value, { text }]) => [value, text]);
    return <ChoiceField {...common} value={given} choices={[['', words.noValue], ...choices]} save={save} />;
  }
  if (type === 6) {
    const ids = given === '' ? [] : (JSON.parse(given) as readonly number[]);
    const names = ids.map((userId) => users?.get(userId)?.full_name ?? '');
    const idsOf = (text: Value): number[] =>
      String(text)
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean)
        .map((one) => {
          const found = [...(users?.values() ?? [])].find(({ full_name }) => full_name === one);
          if (found === undefined) throw new Error(words.unknownName(one));
          return found.user_id;
        });
    return (
      <TextField
        {...common}
        hint={[common.hint, words.peopleChosen].filter(Boolean).join(' ')}
        value={names.join(', ')}
        lengthMax={1000}
        save={async (text) => save(idsOf(text))}
      />
    );
  }
  return (
    <TextField
      {...common}
      value={given}
      lengthMax={type === 2 ? 500 : type === 5 ? 2000 : 50}
      isLong={type === 2}
      type={TYPES[type] ?? 'text'}
      save={save}
    />
  );
}
