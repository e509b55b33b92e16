import { type SubmitEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { call, reasonOf, type Session, signIn } from '../shared/api.js';
import { ActButton, Dialog, Problem, widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';

/** Asks for e-mail address and password, over whatever is there. */
export function SignIn(props: {
  /** Whether a session has ended, and the page below stays as it is. */
  readonly isAgain: boolean;
  readonly onSignedIn: (session: Session) => void;
}): ReactNode {
  const { isAgain, onSignedIn } = props;
  const name = useOrganizationName();
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const password = useRef<HTMLInputElement>(null);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setBusy(true);
    setError(undefined);
    signIn(textOf(form, 'username'), textOf(form, 'password'))
      .then((session) => {
        // The cookie of the answer has to come back with the next call.
        if (session.signed_in) onSignedIn(session);
        else setError(words.noCookies);
      })
      .catch((failure: unknown) => {
        setError(reasonOf(failure));
        password.current?.select();
      })
      .finally(() => setBusy(false));
  };
  return (
    <Dialog title={words.signInTo(name)}>
      <form onSubmit={submit} style={{ display: 'grid', gap: 16 }}>
        {isAgain && <p>{words.signInAgain}</p>}
        <Problem reason={error} />
        <label className={widgetClasses['field']}>
          {words.email}
          <input
            className={widgetClasses['input']}
            name="username"
            type="email"
            autoComplete="username"
            required
            maxLength={254}
          />
        </label>
        <label className={widgetClasses['field']}>
          {words.password}
          <input
            ref={password}
            className={widgetClasses['input']}
            name="password"
            type="password"
            autoComplete="current-password"
            required
            maxLength={1000}
          />
        </label>
        <ActButton isOff={isBusy}>{isBusy ? words.signingIn : words.signIn}</ActButton>
        <p
          style={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: '4px 16px', fontSize: 14 }}
        >
          <a href="/accounts/password/reset/">{words.forgotten}</a>
          <a href="/login/">{words.otherWays}</a>
        </p>
      </form>
    </Dialog>
  );
}

/** Until it is known, and when it cannot be, the address stands for it. */
function useOrganizationName(): string {
  const [name, setName] = useState('');
  useEffect(() => {
    call<{ readonly realm_name?: string }>('GET', '/server_settings').then(
      ({ realm_name = '' }) => setName(realm_name),
      () => undefined,
    );
  }, []);
  return name === '' ? location.host : name;
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
