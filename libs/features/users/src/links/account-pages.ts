import { type Cookies, html, PageReply } from '#http';
import { formOf } from '#pages';

/** The page on which somebody who has lost the password gives an address. */
export function askPage(cookies: Cookies, email = '', error?: string): PageReply {
  const body = html`<p>Enter the address of your account. You will get a mail with a link to set a new password.</p>
    ${formOf(cookies, {
      action: '/accounts/password/reset/',
      fields: [
        { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: email, error },
      ],
      button: 'Send me the link',
    })}`;
  return new PageReply('Reset your password', body, error === undefined ? 200 : 400);
}

/** The page on which a new password is set. */
export function resetPage(
  cookies: Cookies,
  key: string,
  email: string,
  errors: { readonly password?: string; readonly again?: string } = {},
): PageReply {
  const isRefused = Object.keys(errors).length > 0;
  const password = { type: 'password', autocomplete: 'new-password' } as const;
  const body = formOf(cookies, {
    action: `/accounts/password/reset/${key}/`,
    fields: [
      // Password managers keep it with the password.
      {
        name: 'email',
        label: 'E-mail address',
        type: 'email',
        autocomplete: 'username',
        value: email,
        isReadOnly: true,
      },
      {
        ...password,
        name: 'new_password1',
        label: 'New password',
        hint: 'At least 6 characters. Neither a common word, nor your name or address.',
        error: errors.password,
      },
      { ...password, name: 'new_password2', label: 'New password, again', error: errors.again },
    ],
    more: html`<p>
      <label>
        <input type="checkbox" name="log_out" value="yes" checked />
        Log out all clients: each has to log in with the new password
      </label>
    </p>`,
    button: 'Set the password',
  });
  return new PageReply('Set a new password', body, isRefused ? 400 : 200);
}
