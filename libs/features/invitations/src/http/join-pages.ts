import { offeredDefaultGroups } from '#channels/model';
import { type Cookies, type Html, html, PageReply } from '#http';
import type { Directory } from '#people';
import { formOf, notePage } from '#pages';
import { ROLE } from '#users/model';
import type { JoinErrors } from '../commands/join.js';
import type { Entrance } from '../entrances.js';

const PASSWORD_HINT = 'At least 6 characters. Neither a common word, nor your name or address.';

/** What the visitor has filled in before. */
export interface Filled {
  readonly email?: string;
  readonly fullName?: string;
  readonly defaultGroupIds?: readonly number[];
}

/** Name of the boxes for default channel groups, whose values are their IDs. */
export const GROUP_FIELD = 'default_stream_group';

/** The page on which a new user chooses a name and a password. */
export function accountPage(
  cookies: Cookies,
  directory: Directory,
  key: string,
  { email, role }: Entrance,
  filled: Filled = {},
  errors: JoinErrors = {},
): PageReply {
  const { organization } = directory;
  const isRefused = Object.keys(errors).length > 0;
  // Password managers keep the address with the password, also where it is fixed.
  const address = email === undefined ? { value: filled.email ?? '', error: errors.email } : { value: email };
  const body = html`<p>You have been invited to join ${organization.name}. Fill in all fields to make your account.</p>
    ${formOf(cookies, {
      action: '/accounts/register/',
      hidden: { key },
      error: errors.form,
      fields: [
        {
          name: 'email',
          label: 'E-mail address',
          type: 'email',
          autocomplete: 'username',
          isReadOnly: email !== undefined,
          ...address,
        },
        {
          name: 'full_name',
          label: 'Full name',
          type: 'text',
          autocomplete: 'name',
          value: filled.fullName ?? '',
          hint: 'Others see and mention you by it.',
          error: errors.full_name,
        },
        {
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'new-password',
          hint: PASSWORD_HINT,
          error: errors.password,
        },
      ],
      more: role >= ROLE.guest ? undefined : groupChoice(directory, filled.defaultGroupIds ?? []),
      button: 'Create account',
    })}`;
  return new PageReply('Create your account', body, isRefused ? 400 : 200);
}

/** Boxes for the default channel groups; undefined where the organization has none. */
function groupChoice(directory: Directory, chosen: readonly number[]): Html | undefined {
  const groups = offeredDefaultGroups(directory).filter(({ channelIds }) => channelIds.length > 0);
  if (groups.length === 0) return undefined;
  const boxes = groups.map(({ defaultGroupId: id, name, description, channelIds }) => {
    const channels = channelIds.map((channelId) => `#${directory.channel(channelId)?.name ?? ''}`).join(', ');
    const about = `${GROUP_FIELD}-${id}`;
    const checked = chosen.includes(id) ? html` checked` : undefined;
    return html`<label>
        <input
          type="checkbox"
          name="${GROUP_FIELD}"
          value="${id}"
          aria-describedby="${about}"
          ${checked}
        />${name}</label
      >
      <p id="${about}">${description === '' ? channels : `${description} (${channels})`}</p>`;
  });
  return html`<fieldset>
    <legend>Also subscribe me to the channels of</legend>
    ${boxes}
  </fieldset>`;
}

/** The page on which the visitor of a link for many gives an address, to which a mail is sent. */
export function addressPage(
  cookies: Cookies,
  { organization }: Directory,
  path: string,
  email = '',
  error?: string,
): PageReply {
  const body = html`<p>You have been invited to join ${organization.name}. You will get a mail with a link to go on.</p>
    ${formOf(cookies, {
      action: path,
      fields: [{ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email', value: email, error }],
      button: 'Send me the link',
    })}`;
  return new PageReply(`Join ${organization.name}`, body, error === undefined ? 200 : 400);
}

export function mailSentPage(): PageReply {
  return notePage('Check your mail', 'A mail with a link is on its way to the address that you have given.');
}
