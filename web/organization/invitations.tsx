import { type ReactNode, type SubmitEvent, useState } from 'react';
import { copyLink } from '../chat/copy-link.js';
import { useChatState, useModel } from '../chat/model/hooks.js';
import { channelName } from '../chat/places.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { shortTimeOf } from '../shared/time.js';
import { ActButton, Loading, Problem, widgetClasses } from '../shared/widgets.js';
import { words as common } from '../shared/words.js';
import { paneClasses as classes, Part } from '../settings/panes.js';
import { breakable } from './breakable.js';
import { defaultGroupsIn, type DefaultGroup } from './default-groups.js';
import { emptied, type Saving, Told, useSaving } from '../settings/saving.js';
import { useLoad } from '../settings/use-load.js';

interface Invitation {
  readonly id: number;
  readonly is_multiuse: boolean;
  readonly email?: string;
  readonly link_url?: string;
  readonly invited_as: number;
  /** Seconds since the epoch. */
  readonly expiry_date: number | null;
}

const loadInvitations = async (): Promise<readonly Invitation[]> => {
  const { invites } = await call<{ readonly invites: readonly Invitation[] }>('GET', '/invites');
  return invites;
};

/** Invitations by mail and by link: those of the reader; for administrators, all. */
export function Invitations(): ReactNode {
  const saving = useSaving();
  const { run } = saving;
  const { value: open, reason, refresh } = useLoad(loadInvitations);
  const change = (work: () => Promise<unknown>): void => {
    void run(async () => {
      await work();
      await refresh();
    });
  };
  return (
    <>
      <Invite refresh={refresh} />
      <Part title={words.invitesOpen}>
        <Problem reason={reason} />
        {open === undefined && reason === undefined && <Loading />}
        {open?.length === 0 && <p className={classes['row']}>{words.invitesNone}</p>}
        <ul>
          {open?.map((one) => (
            <InvitationRow key={`${one.is_multiuse ? 'l' : 'm'}${one.id}`} invitation={one} change={change} />
          ))}
        </ul>
        <Told phase={saving.phase.kind === 'refused' ? saving.phase : { kind: 'idle' }} />
      </Part>
    </>
  );
}

function InvitationRow(props: {
  readonly invitation: Invitation;
  readonly change: (work: () => Promise<unknown>) => void;
}): ReactNode {
  const { invitation, change } = props;
  const { id, is_multiuse: isLink, email, link_url: link = '', invited_as: role, expiry_date: end } = invitation;
  const name = email ?? words.inviteByLink;
  const path = isLink ? `/invites/multiuse/${id}` : `/invites/${id}`;
  return (
    <li className={classes['row']}>
      <span className={classes['grow']}>
        {isLink ? <code className={classes['key']}>{link}</code> : breakable(name)}
        <span className={classes['hint']}>
          {[isLink ? name : '', words.roles[role], end === null ? '' : words.inviteEnds(shortTimeOf(end))]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {isLink ? (
        <button
          type="button"
          className={widgetClasses['button']}
          aria-label={words.copyLinkOf(link)}
          onClick={() => change(() => copyLink(link))}
        >
          {common.copyLink}
        </button>
      ) : (
        <button
          type="button"
          className={widgetClasses['button']}
          aria-label={words.resendTo(name)}
          onClick={() => change(() => call('POST', `${path}/resend`))}
        >
          {words.resend}
        </button>
      )}
      <button
        type="button"
        className={widgetClasses['button']}
        aria-label={isLink ? words.revokeLink(link) : words.revokeOf(name)}
        onClick={() => change(() => call('DELETE', path))}
      >
        {words.revoke}
      </button>
    </li>
  );
}

function Invite({ refresh }: { readonly refresh: () => Promise<void> }): ReactNode {
  const { phase, run } = useSaving();
  const [sent, setSent] = useState('');
  const [addresses, setAddresses] = useState('');
  const [terms, setTerms] = useState<TermsOfInvitation>({
    role: 400,
    minutes: 14_400,
    hasDefaults: true,
    groupIds: [],
  });
  const groups = defaultGroupsIn(useModel());
  const params = {
    invite_as: terms.role,
    invite_expires_in_minutes: terms.minutes === 0 ? null : terms.minutes,
    include_realm_default_subscriptions: terms.hasDefaults,
    stream_ids: groups.flatMap(({ id, streams }) => (terms.groupIds.includes(id) ? streams : [])),
  };
  const send: Send = (path, more, told) =>
    run(async () => {
      await call('POST', path, { ...params, ...more });
      setSent(told);
      await refresh();
    });
  const mail = (event: SubmitEvent): void => {
    event.preventDefault();
    void send('/invites', { invitee_emails: addresses }, words.inviteSent).then((isDone) => {
      if (isDone) setAddresses(emptied(addresses));
    });
  };
  return (
    <Part title={words.inviteTitle}>
      <form className={classes['stack']} onSubmit={mail}>
        <label className={widgetClasses['field']}>
          {words.inviteAddresses}
          <textarea
            className={widgetClasses['input']}
            rows={2}
            value={addresses}
            required
            onChange={(event) => setAddresses(event.currentTarget.value)}
          />
        </label>
        <Terms terms={terms} setTerms={setTerms} />
        <div className={classes['inline']}>
          <ActButton isOff={phase.kind === 'saving'}>{words.inviteSend}</ActButton>
          <ActButton
            kind="button"
            isOff={phase.kind === 'saving'}
            onClick={() => void send('/invites/multiuse', {}, words.inviteLinkMade)}
          >
            {words.inviteLink}
          </ActButton>
        </div>
        <Told phase={phase} saved={sent} />
      </form>
    </Part>
  );
}

type Send = (path: string, more: Readonly<Record<string, unknown>>, told: string) => ReturnType<Saving['run']>;

interface TermsOfInvitation {
  readonly role: number;
  readonly minutes: number;
  readonly hasDefaults: boolean;
  /** Groups of default channels. */
  readonly groupIds: readonly number[];
}

function Terms(props: {
  readonly terms: TermsOfInvitation;
  readonly setTerms: (terms: TermsOfInvitation) => void;
}): ReactNode {
  const { terms, setTerms } = props;
  const model = useModel();
  const { fields } = model;
  const isAdministrator = fields.is_admin === true;
  const select = (label: string, name: 'role' | 'minutes', options: Readonly<Record<number, string>>): ReactNode => (
    <label className={widgetClasses['field']}>
      {label}
      <select
        className={widgetClasses['input']}
        value={terms[name]}
        onChange={(event) => setTerms({ ...terms, [name]: Number(event.currentTarget.value) })}
      >
        {Object.entries(options).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
  const roles = Object.entries(words.roles).filter(([role]) => isAdministrator || Number(role) >= 400);
  return (
    <div className={classes['inline']}>
      {select(words.inviteRole, 'role', Object.fromEntries(roles))}
      {select(words.inviteExpires, 'minutes', words.expiries)}
      <label className={classes['check']}>
        <input
          type="checkbox"
          checked={terms.hasDefaults}
          onChange={(event) => setTerms({ ...terms, hasDefaults: event.currentTarget.checked })}
        />
        {words.inviteDefaults}
      </label>
      <GroupBoxes
        groups={defaultGroupsIn(model)}
        chosen={terms.groupIds}
        choose={(groupIds) => setTerms({ ...terms, groupIds })}
      />
    </div>
  );
}

/** Groups of default channels that new people get as well. */
function GroupBoxes(props: {
  readonly groups: readonly DefaultGroup[];
  readonly chosen: readonly number[];
  readonly choose: (chosen: readonly number[]) => void;
}): ReactNode {
  const { groups, chosen, choose } = props;
  const state = useChatState();
  if (groups.length === 0) return null;
  return (
    <fieldset className={classes['methods']}>
      <legend>{words.inviteGroups}</legend>
      {groups.map(({ id, name, description, streams }) => (
        <label key={id} className={classes['check']} title={description}>
          <input
            type="checkbox"
            checked={chosen.includes(id)}
            onChange={({ currentTarget: { checked } }) =>
              choose(checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
          {words.inviteGroup(
            name,
            streams.map((channelId) => channelName(state, channelId)),
          )}
        </label>
      ))}
    </fieldset>
  );
}
