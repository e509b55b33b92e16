import { type ReactNode, useState } from 'react';
import type { Fields } from '#client';
import { useModel } from '../chat/model/hooks.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { widgetClasses } from '../shared/widgets.js';
import { SearchField } from '../settings/search-field.js';
import type { Form } from '../settings/forms.js';
import { GroupField, type GroupSetting, supportedSettings } from '../settings/group-field.js';
import { type Choices, SettingField, SwitchField, type Value } from '../settings/setting-field.js';
import { REALM_PERMISSIONS, REALM_SETTINGS } from '../settings/tables.generated.js';

interface Described {
  /** What it decides; "Clients:" begins one that other clients obey, and this page does not. */
  readonly does: string;
  readonly by?: 'owners';
}

/** Why the reader cannot change something; undefined when they can. */
function becauseOf({ by }: Described, fields: Fields): string | undefined {
  if (by === 'owners') return fields['is_owner'] === true ? undefined : words.onlyOwners;
  return fields['is_admin'] === true ? undefined : words.onlyAdministratorsHere;
}

/** All settings of the organization, from the server's table. */
export function RealmSettings(): ReactNode {
  const entries = Object.entries<Described & { readonly form: Form }>(REALM_SETTINGS);
  return (
    <Filtered entries={entries}>
      {([name, setting]) => <RealmSetting key={name} name={name} setting={setting} />}
    </Filtered>
  );
}

/** Who may do what, in all channels. */
export function RealmPermissions(): ReactNode {
  const model = useModel();
  const { realm } = supportedSettings(model);
  return (
    <Filtered entries={Object.entries<Described>(REALM_PERMISSIONS)}>
      {([name, permission]) =>
        realm[name] !== undefined && (
          <GroupField
            key={name}
            label={permission.does}
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
  const found = props.entries.filter(([name, { does }]) => `${name} ${does}`.toLowerCase().includes(wanted));
  return (
    <>
      <SearchField label={words.findSetting} query={query} setQuery={setQuery} />
      {found.length === 0 && <p className={widgetClasses['note']}>{words.noSetting}</p>}
      {found.map(props.children)}
    </>
  );
}

const FOR_CLIENTS = 'Clients: ';

function RealmSetting(props: {
  readonly name: string;
  readonly setting: Described & { readonly form: Form };
}): ReactNode {
  const { name, setting } = props;
  const { form, does } = setting;
  const { fields } = useModel();
  const choices = useChoices(name, form);
  const because = becauseOf(setting, fields);
  const isForClients = does.startsWith(FOR_CLIENTS);
  const label = isForClients ? capital(does.slice(FOR_CLIENTS.length)) : does;
  const save = (value: Value): Promise<unknown> => call('PATCH', '/realm', { [name]: value });
  if (form.kind === 'login-methods') return <LoginMethods because={because} />;
  return (
    <SettingField
      name={name}
      form={form}
      label={label.replaceAll('`', '')}
      hint={isForClients ? words.forOtherClients : undefined}
      because={because}
      value={fields[`realm_${name}`] as Value}
      choices={choices}
      save={form.kind === 'website' ? (value) => save(value === '' ? 'default' : value) : save}
    />
  );
}

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** What can be chosen, where that is not in the table. */
function useChoices(name: string, form: Form): Choices | undefined {
  const { fields, channels } = useModel();
  if (form.kind === 'channel')
    return [
      [-1, words.noChannelChosen],
      ...[...(channels?.values() ?? [])].map((one) => [one.stream_id, `#${one.name}`] as const),
    ];
  if (form.kind === 'video-chat-provider') {
    const known = (fields['realm_available_video_chat_providers'] ?? {}) as Readonly<
      Record<string, { readonly name: string; readonly id: number }>
    >;
    return Object.values(known).map(({ id, name: text }) => [id, text]);
  }
  const texts = words.values[name];
  if (texts === undefined || (form.kind !== 'number' && form.kind !== 'word')) return undefined;
  return form.oneOf.map((value) => [value, texts[value] ?? String(value)]);
}

type Methods = Readonly<Record<string, { readonly enabled: boolean; readonly available?: boolean }>>;

function LoginMethods({ because }: { readonly because: string | undefined }): ReactNode {
  const methods = (useModel().fields['realm_authentication_methods'] ?? {}) as Methods;
  return Object.entries(methods).map(([method, { enabled }]) => (
    <SwitchField
      key={method}
      label={words.signInBy(method)}
      because={because}
      value={enabled}
      save={(value) => call('PATCH', '/realm', { authentication_methods: { [method]: value } })}
    />
  ));
}
