import type { ReactNode } from 'react';
import { useChatState, useModel, useRoute } from '../chat/model/hooks.js';
import { call } from '../shared/api.js';
import { settingsWords as words } from '../shared/en-settings.js';
import { Account } from './account.js';
import { type Section, settingsOf, type ShownSetting } from './forms.js';
import { Muting } from './muting.js';
import { Panes } from './panes.js';
import { Profile } from './profile.js';
import { ChoiceField, SettingField, type Value } from './setting-field.js';

/** Settings of the reader. */
export default function OwnSettings(): ReactNode {
  const { rest } = useRoute() as { readonly rest: readonly string[] };
  const [asked = ''] = rest;
  const current = asked in words.sections ? (asked as keyof typeof words.sections) : 'profile';
  return (
    <Panes title={words.settingsTitle} base="#settings" sections={words.sections} current={current}>
      {current === 'profile' && <Profile />}
      {current === 'account' && <Account />}
      {current === 'muting' && <Muting />}
      {current === 'appearance' && <Density />}
      {(current === 'appearance' || current === 'notifications' || current === 'privacy') && (
        <Settings section={current} />
      )}
    </Panes>
  );
}

const saveSetting =
  (name: ShownSetting) =>
  (value: Value): Promise<unknown> =>
    call('PATCH', '/settings', { [name]: value });

function Settings({ section }: { readonly section: Section }): ReactNode {
  const values = useModel().fields.user_settings as Readonly<Record<ShownSetting, Value>>;
  return settingsOf(section).map(({ name, form }) => (
    <SettingField
      key={name}
      name={name}
      form={form}
      label={words.settings[name]}
      value={values[name]}
      save={saveSetting(name)}
    />
  ));
}

/** Sizes that other clients know as the usual and the compact ones. */
const SIZES = {
  comfortable: { web_font_size_px: 16, web_line_height_percent: 140 },
  compact: { web_font_size_px: 14, web_line_height_percent: 122 },
} as const;

function Density(): ReactNode {
  const { settings } = useChatState();
  return (
    <ChoiceField
      label={words.density}
      value={settings.web_font_size_px <= SIZES.compact.web_font_size_px ? 'compact' : 'comfortable'}
      choices={[
        ['comfortable', words.comfortable],
        ['compact', words.compact],
      ]}
      save={(value) => call('PATCH', '/settings', SIZES[value as keyof typeof SIZES])}
    />
  );
}
