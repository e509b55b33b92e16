import { type ReactNode, useId, useState } from 'react';
import type { Fields } from '#client';
import { useModel } from '../chat/model/hooks.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import {
  type RealmPermissionName,
  realmPermissionLabels,
  realmSettingHints,
  type RealmSettingName,
  realmSettingLabels,
} from '../shared/en-realm-settings.js';
import { widgetClasses } from '../shared/widgets.js';
import { SearchField } from '../settings/search-field.js';
import type { Form } from '../settings/forms.js';
import { GroupField, type GroupSetting, supportedSettings } from '../settings/group-field.js';
import { paneClasses as classes } from '../settings/panes.js';
import { type Choices, SettingField, SwitchField, type Value } from '../settings/setting-field.js';
import { REALM_PERMISSIONS, REALM_SETTINGS } from '../settings/tables.generated.js';

interface Described {
  readonly label: string;
  /** What it decides; "Clients:" begins one that other clients obey, and this page does not. */
  readonly does: string;
  readonly by?: 'owners';
  /** The same for people, where it is another sentence. */
  readonly hint?: string | undefined;
}

/** Why the reader cannot change something; undefined when they can. */
function becauseOf({ by }: Described, fields: Fields): string | undefined {
  if (by === 'owners') return fields['is_owner'] === true ? undefined : words.onlyOwners;
  return fields['is_admin'] === true ? undefined : words.onlyAdministratorsHere;
}

/** The server's table with the names that this page gives. */
const labelled = <Name extends string, T>(
  table: Readonly<Record<Name, T>>,
  labels: Readonly<Record<Name, string>>,
): readonly (readonly [name: Name, T & { readonly label: string }])[] =>
  (Object.keys(table) as Name[]).map((name) => [name, { ...table[name], label: labels[name] }]);

const SETTINGS = labelled<RealmSettingName, Omit<Described, 'label'> & { readonly form: Form }>(
  REALM_SETTINGS,
  realmSettingLabels,
).map(([name, setting]) => [name, { ...setting, hint: realmSettingHints[name] }] as const);
const PERMISSIONS = labelled<RealmPermissionName, Omit<Described, 'label'>>(REALM_PERMISSIONS, realmPermissionLabels);

const FOR_CLIENTS = 'Clients: ';

/** The sentence for people; undefined where the label says the same. */
function descriptionOf({ label, does, hint }: Described): string | undefined {
  const isForClients = does.startsWith(FOR_CLIENTS);
  const text = hint ?? (isForClients ? does.slice(FOR_CLIENTS.length) : does);
  const sentence = text.slice(0, 1).toUpperCase() + text.slice(1);
  if (sentence === `${label}.`) return undefined;
  return isForClients ? `${sentence} ${words.forOtherClients}` : sentence;
}

/** All settings of the organization, from the server's table. */
export function RealmSettings(): ReactNode {
  return (
    <Filtered entries={SETTINGS}>
      {([name, setting]) => <RealmSetting key={name} name={name} setting={setting} />}
    </Filtered>
  );
}

/** Who may do what, in all channels. */
export function RealmPermissions(): ReactNode {
  const model = useModel();
  const { realm } = supportedSettings(model);
  return (
    <Filtered entries={PERMISSIONS}>
      {([name, permission]) =>
        realm[name] !== undefined && (
          <GroupField
            key={name}
            label={permission.label}
            hint={descriptionOf(permission)}
            supported={realm[name]}
            value={model.fields[`realm_${name}`] as GroupSetting}
            because={becauseOf(permission, model.fields)}
            save={(value) => call('PATCH', '/realm', { [name]: value })}
          />
        )
      }
    </Filtered>
  );
}

function Filtered<T extends Described>(props: {
  readonly entries: readonly (readonly [string, T])[];
  readonly children: (entry: readonly [string, T]) => ReactNode;
}): ReactNode {
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const found = props.entries.filter(([name, { label, does }]) =>
    `${name} ${label}\n${does}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <SearchField label={words.findSetting} query={query} setQuery={setQuery} />
      {found.length === 0 && <p className={widgetClasses['note']}>{words.noSetting}</p>}
      {found.map(props.children)}
    </>
  );
}

function RealmSetting(props: {
  readonly name: string;
  readonly setting: Described & { readonly form: Form };
}): ReactNode {
  const { name, setting } = props;
  const { form, label } = setting;
  const { fields } = useModel();
  const choices = useChoices(name, form);
  const because = becauseOf(setting, fields);
  const hint = descriptionOf(setting);
  const save = (value: Value): Promise<unknown> => call('PATCH', '/realm', { [name]: value });
  if (form.kind === 'login-methods') return <LoginMethods label={label} hint={hint} because={because} />;
  return (
    <SettingField
      name={name}
      form={form}
      label={label}
      hint={hint}
      because={because}
      value={fields[`realm_${name}`] as Value}
      choices={choices}
      save={form.kind === 'website' ? (value) => save(value === '' ? 'default' : value) : save}
    />
  );
}

/** What can be chosen, where that is not in the table. */
function useChoices(name: string, form: Form): Choices | undefined {
  const { fields, channels } = useModel();
  if (form.kind === 'channel')
    return [
      [-1, words.noChannelChosen],
      ...[...(channels?.values() ?? [])].map((one) => [one.stream_id, `#${one.name}`] as const),
    ];
  if (form.kind === 'video-chat-provider') {
    const known = (fields.realm_available_video_chat_providers ?? {}) as Readonly<
      Record<string, { readonly name: string; readonly id: number }>
    >;
    return Object.values(known).map(({ id, name: text }) => [id, text]);
  }
  const texts = words.values[name];
  if (texts === undefined || (form.kind !== 'number' && form.kind !== 'word')) return undefined;
  return form.oneOf.map((value) => [value, texts[value] ?? String(value)]);
}

type Methods = Readonly<Record<string, { readonly enabled: boolean; readonly available?: boolean }>>;

function LoginMethods(props: {
  readonly label: string;
  readonly hint: string | undefined;
  readonly because: string | undefined;
}): ReactNode {
  const { label, hint, because } = props;
  const methods = (useModel().fields.realm_authentication_methods ?? {}) as Methods;
  const id = useId();
  return (
    <fieldset className={classes['methods']} aria-describedby={id}>
      <legend>{label}</legend>
      <p id={id} className={classes['hint']}>
        {hint}
      </p>
      {Object.entries(methods).map(([method, { enabled }]) => (
        <SwitchField
          key={method}
          label={words.signInBy(method)}
          because={because}
          value={enabled}
          save={(value) => call('PATCH', '/realm', { authentication_methods: { [method]: value } })}
        />
      ))}
    </fieldset>
  );
}
