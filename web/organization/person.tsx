import { Fragment, type ReactNode, useId } from 'react';
import type { State } from '#client';
import { useChatState, useModel, useRoute } from '../chat/model/hooks.js';
import { directHash } from '../chat/model/narrow.js';
import type { Presence } from '../chat/model/presence.js';
import { EmojiSign } from '../chat/people/emoji-sign.js';
import { usePresence } from '../chat/people/presence-dot.js';
import { personName } from '../chat/places.js';
import { ViewHead } from '../chat/view-head.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { Rendered } from '../shared/rendered.js';
import { timeNowIn, wholeTimeOf } from '../shared/time.js';
import { Avatar, widgetClasses } from '../shared/widgets.js';
import { textIn } from '../settings/forms.js';
import { paneClasses as classes } from '../settings/panes.js';
import {
  accountAddress,
  FIELD,
  peopleOf,
  type ProfileField,
  profileFieldsIn,
  renderedOf,
  shortText,
  valueOf,
} from '../settings/profile-fields.js';
import { Told, useSaving } from '../settings/saving.js';
import { breakable } from './breakable.js';
import { People } from './people.js';

type User = NonNullable<ReturnType<NonNullable<State['users']>['get']>>;

/** Everybody, or the card of one person. */
export default function PeoplePage(): ReactNode {
  const { users, formerUsers, fields } = useModel();
  const { rest } = useRoute() as { readonly rest: readonly string[] };
  const id = Number(rest[0]);
  const bots = (fields.cross_realm_bots ?? []) as readonly User[];
  const user = users?.get(id) ?? formerUsers?.get(id) ?? bots.find(({ user_id }) => user_id === id);
  const isOne = rest[0] !== undefined && rest[0] !== '';
  return (
    <>
      <ViewHead title={isOne ? (user?.full_name ?? words.unknownPerson) : words.peopleTitle} />
      <div className={classes['body']}>
        <div className={`${classes['column']} ${isOne ? '' : classes['wide']}`}>
          {!isOne && <People />}
          {isOne &&
            (user === undefined ? (
              <p className={widgetClasses['note']}>{words.personGone}</p>
            ) : (
              <Card key={user.user_id} user={user} />
            ))}
        </div>
      </div>
    </>
  );
}

function Card({ user }: { readonly user: User }): ReactNode {
  const [model, state] = [useModel(), useChatState()];
  const { user_id: id, full_name: name, avatar_url, delivery_email: email, role = 400, is_active: isActive } = user;
  const { phase, run } = useSaving();
  const isMuted = state.mutedUsers.has(id);
  const [status, presence] = [state.statuses.get(id), usePresence(id)];
  const timeZone = textIn(user, 'timezone');
  const joined = Date.parse(textIn(user, 'date_joined'));
  const groups = [...(model.groups?.values() ?? [])]
    .filter((group) => group['is_system_group'] !== true && group['deactivated'] !== true && group.members.includes(id))
    .map((group) => group.name);
  return (
    <>
      <div className={classes['row']}>
        <Avatar url={avatar_url} name={name} size={96} />
        <span className={classes['grow']}>
          {isActive === false && <span className={classes['hint']}>{words.deactivatedPerson}</span>}
        </span>
        <a className={widgetClasses['primary']} href={directHash([...new Set([id, model.self])].sort((a, b) => a - b))}>
          {words.writeTo(name)}
        </a>
        {id !== model.self && (
          <button
            type="button"
            className={widgetClasses['button']}
            onClick={() => void run(() => call(isMuted ? 'DELETE' : 'POST', `/users/me/muted_users/${id}`))}
          >
            {isMuted ? words.unmutePersonNow : words.mutePersonNow}
          </button>
        )}
        {phase.kind === 'refused' && <Told phase={phase} />}
      </div>
      <Fact name={words.lastActive}>{presenceText(presence)}</Fact>
      <Fact name={words.status}>
        {status === undefined ? (
          ''
        ) : (
          <>
            {status.emoji !== undefined && <EmojiSign emoji={status.emoji} pictures={state.pictures} />} {status.text}
          </>
        )}
      </Fact>
      <Fact name={words.role}>{user['is_bot'] === true ? words.bot : words.roles[role]}</Fact>
      <Fact name={words.email}>{email === undefined || email === null ? '' : breakable(email)}</Fact>
      <Fact name={words.localTime}>{timeZone === '' ? '' : timeIn(timeZone)}</Fact>
      <Fact name={words.joined}>{Number.isNaN(joined) ? '' : new Date(joined).toLocaleDateString()}</Fact>
      <Fact name={words.groupsOf}>{groups.join(', ')}</Fact>
      {profileFieldsIn(model.fields)
        .filter((field) => valueOf(user, field) !== '')
        .map((field) => (
          <Fact key={field.id} name={field.name}>
            <Value field={field} user={user} model={model} />
          </Fact>
        ))}
    </>
  );
}

function presenceText(presence: Presence | undefined): string {
  if (presence === undefined) return '';
  return presence.kind === 'offline' ? wholeTimeOf(presence.lastAt) : words.presence[presence.kind];
}

function timeIn(timeZone: string): string {
  try {
    return `${timeNowIn(timeZone)} (${timeZone.replaceAll('_', ' ')})`;
  } catch {
    // A zone that this browser does not know.
    return timeZone;
  }
}

/** Nothing where there is nothing to say. */
function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  const id = useId();
  if (children === '' || children === undefined) return null;
  return (
    <div className={classes['fact']} role="group" aria-labelledby={id}>
      <span id={id} className={classes['hint']}>
        {name}
      </span>
      <span className={classes['grow']}>{children}</span>
    </div>
  );
}

/** What somebody has put into a field of the organization. */
function Value(props: { readonly field: ProfileField; readonly user: User; readonly model: State }): ReactNode {
  const { field, user, model } = props;
  const state = useChatState();
  const value = valueOf(user, field);
  if (field.type === FIELD.people)
    return peopleOf(value).map((id, index) => (
      <Fragment key={id}>
        {index > 0 && ', '}
        <a href={`#people/${id}`}>{personName(state, id)}</a>
      </Fragment>
    ));
  if (field.type === FIELD.link && /^https?:\/\//i.test(value)) return <Outside href={value}>{value}</Outside>;
  if (field.type === FIELD.account) {
    const address = accountAddress(field, value, model.fields);
    return address === undefined ? value : <Outside href={address}>{value}</Outside>;
  }
  const html = renderedOf(user, field);
  return html === undefined ? shortText(field, value) : <Rendered html={html} meId={model.self} />;
}

function Outside({ href, children }: { readonly href: string; readonly children: string }): ReactNode {
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}
