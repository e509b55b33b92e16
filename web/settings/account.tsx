import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import { leave } from '../chat/leave.js';
import { useModel } from '../chat/model/hooks.js';
import { call, signIn } from '../shared/api.js';
import { settingsWords as words } from '../shared/en-settings.js';
import { ActButton, widgetClasses } from '../shared/widgets.js';
import { paneClasses as classes, Part } from './panes.js';
import { textIn } from './forms.js';
import { Told, useSaving } from './saving.js';
import { TextField } from './setting-field.js';

/** Address, password, API key, and the session. */
export function Account(): ReactNode {
  const { fields } = useModel();
  const email = textIn(fields, 'delivery_email');
  const isFixed = fields.realm_email_changes_disabled === true && fields.is_admin !== true;
  return (
    <>
      <TextField
        label={words.emailChange}
        hint={words.emailHint}
        value={email}
        type="email"
        lengthMax={254}
        autoComplete="email"
        because={isFixed ? words.onlyAdministrators : undefined}
        save={(next) => call('PATCH', '/settings', { email: next })}
        saved={words.emailSent}
      />
      <Password email={email} />
      <ApiKey email={email} />
      <Part title={words.signOut} hint={words.signOutHint}>
        <p style={{ marginBlockStart: 8 }}>
          <button type="button" className={widgetClasses['button']} onClick={leave}>
            {words.signOutHere}
          </button>
        </p>
      </Part>
    </>
  );
}

function Password({ email }: { readonly email: string }): ReactNode {
  const { phase, run } = useSaving();
  const form = useRef<HTMLFormElement>(null);
  const change = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const [old_password, new_password] = ['old', 'new'].map((name) => inputIn(event.currentTarget, name));
    void run(async () => {
      await call('PATCH', '/settings', { old_password, new_password });
      // All sessions have ended with the former password.
      await signIn(email, new_password ?? '');
    }).then((isDone) => {
      if (isDone) form.current?.reset();
    });
  };
  return (
    <Part title={words.passwordChange} hint={words.passwordHint}>
      <form ref={form} className={classes['inline']} onSubmit={change}>
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <label className={widgetClasses['field']}>
          {words.passwordOld}
          <input
            className={widgetClasses['input']}
            name="old"
            type="password"
            autoComplete="current-password"
            required
          />
        </label>
        <label className={widgetClasses['field']}>
          {words.passwordNew}
          <input className={widgetClasses['input']} name="new" type="password" autoComplete="new-password" required />
        </label>
        <ActButton isOff={phase.kind === 'saving'}>{words.change}</ActButton>
      </form>
      <Told phase={phase} saved={words.passwordChanged} />
    </Part>
  );
}

function inputIn(form: HTMLFormElement, name: string): string {
  const element = form.elements.namedItem(name);
  return element instanceof HTMLInputElement ? element.value : '';
}

/** Shown to whoever gives the password again. A new one ends all sessions. */
function ApiKey({ email }: { readonly email: string }): ReactNode {
  const { phase, run } = useSaving();
  const [key, setKey] = useState<string>();
  const show = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const params = { username: email, password: inputIn(form, 'password') };
    void run(async () => setKey((await call<{ readonly api_key: string }>('POST', '/fetch_api_key', params)).api_key));
  };
  const renew = (): void => {
    if (!confirm(words.apiKeyRenewSure)) return;
    void run(async () => {
      setKey((await call<{ readonly api_key: string }>('POST', '/users/me/api_key/regenerate')).api_key);
    });
  };
  return (
    <Part title={words.apiKey} hint={words.apiKeyHint}>
      {key === undefined ? (
        <form className={classes['inline']} onSubmit={show}>
          <label className={widgetClasses['field']}>
            {words.password}
            <input
              className={widgetClasses['input']}
              name="password"
              type="password"
              autoComplete="current-password"
              required
            />
          </label>
          <ActButton kind="button" isOff={phase.kind === 'saving'}>
            {words.apiKeyShow}
          </ActButton>
        </form>
      ) : (
        <p style={{ marginBlock: 8 }}>
          <code className={classes['key']}>{key}</code>
        </p>
      )}
      <button type="button" className={widgetClasses['button']} onClick={renew}>
        {words.apiKeyRenew}
      </button>
      {phase.kind === 'refused' && <Told phase={phase} />}
    </Part>
  );
}
