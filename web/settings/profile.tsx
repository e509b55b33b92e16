import { type ReactNode, useState } from 'react';
import { useModel } from '../chat/model/hooks.js';
import { sendFile } from '../chat/uploads.js';
import { call } from '../shared/api.js';
import { settingsWords as words } from '../shared/en-settings.js';
import { Avatar, widgetClasses } from '../shared/widgets.js';
import { textIn } from './forms.js';
import { paneClasses as classes } from './panes.js';
import { PictureChooser } from './picture-chooser.js';
import { profileFieldsIn } from './profile-fields.js';
import { ProfileValue } from './profile-value.js';
import { Told, useSaving } from './saving.js';
import { ChoiceField, type Choices, TextField } from './setting-field.js';

/** Name, picture, time zone, and the fields that the organization asks for. */
export function Profile(): ReactNode {
  const { fields, users, self } = useModel();
  const me = users?.get(self);
  const isAdministrator = fields.is_admin === true;
  const unless = (setting: string): string | undefined =>
    fields[setting] === true && !isAdministrator ? words.onlyAdministrators : undefined;
  const zones: Choices = [
    ['', words.timezoneNone] as const,
    ...Intl.supportedValuesOf('timeZone').map((zone) => [zone, zone.replaceAll('_', ' ')] as const),
  ];
  return (
    <>
      <Picture
        url={textIn(fields, 'avatar_url')}
        name={me?.full_name ?? ''}
        because={unless('realm_avatar_changes_disabled')}
      />
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
      {profileFieldsIn(fields).map((field) => (
        <ProfileValue key={field.id} field={field} me={me} isAdministrator={isAdministrator} />
      ))}
    </>
  );
}

function Picture(props: {
  readonly url: string;
  readonly name: string;
  readonly because: string | undefined;
}): ReactNode {
  const { url, name, because } = props;
  const { phase, run } = useSaving();
  const [percent, setPercent] = useState<number>();
  const choose = (chosen: File): void => {
    void run(() => sendFile('/users/me/avatar', chosen, setPercent)).then(() => setPercent(undefined));
  };
  return (
    <div className={classes['row']} role="group" aria-label={words.picture}>
      <Avatar url={url === '' ? undefined : url} name={name} size={64} />
      {because === undefined ? (
        <div className={classes['buttons']}>
          <PictureChooser label={words.pictureChoose} choose={choose} />
          <button
            type="button"
            className={widgetClasses['button']}
            onClick={() => void run(() => call('DELETE', '/users/me/avatar'))}
          >
            {words.pictureRemove}
          </button>
        </div>
      ) : (
        <p className={classes['hint']}>{because}</p>
      )}
      {percent !== undefined && <span className={classes['saved']}>{words.pictureLarge(percent)}</span>}
      <Told phase={phase} />
    </div>
  );
}
