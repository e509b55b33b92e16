import { type ReactNode, useState } from 'react';
import type { State } from '#client';
import { useChatState, useModel } from '../chat/model/hooks.js';
import { directHash } from '../chat/model/narrow.js';
import { PresenceDot } from '../chat/people/presence-dot.js';
import { StatusSign } from '../chat/people/status-sign.js';
import { byName } from '../shared/order.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { Avatar, widgetClasses } from '../shared/widgets.js';
import { SearchField } from '../settings/search-field.js';
import { useConfirming } from '../settings/confirming.js';
import { paneClasses as classes } from '../settings/panes.js';
import { summaryOf } from '../settings/profile-fields.js';
import { Told, useSaving } from '../settings/saving.js';
import { useChosen } from '../settings/setting-field.js';
import { breakable } from './breakable.js';

/** More are found by a part of their names. */
const SHOWN_MAX = 100;

/** However far one has scrolled. */
const WHERE_IT_IS_SEEN = { position: 'sticky', insetBlockEnd: 0 } as const;

type User = NonNullable<ReturnType<NonNullable<State['users']>['get']>>;

/** Everybody: whom to write to, roles, deactivation and reactivation. */
export function People(): ReactNode {
  const { users, formerUsers, self } = useModel();
  const [query, setQuery] = useState('');
  const [isFormer, setFormer] = useState(false);
  /** By ID, in the order in which they were chosen. */
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const addressed = chosen.flatMap((id) => users?.get(id) ?? []);
  const wanted = query.trim().toLowerCase();
  const found = [...((isFormer ? formerUsers : users)?.values() ?? [])]
    .filter(({ full_name, delivery_email }) => `${full_name} ${delivery_email ?? ''}`.toLowerCase().includes(wanted))
    .sort((a, b) => byName(a.full_name, b.full_name));
  return (
    <>
      <div className={classes['inline']}>
        <SearchField label={words.findPerson} query={query} setQuery={setQuery} />
        <label className={widgetClasses['field']}>
          {words.whichPeople}
          <select
            className={widgetClasses['input']}
            value={isFormer ? 1 : 0}
            onChange={(event) => setFormer(event.currentTarget.value === '1')}
          >
            <option value={0}>{words.activePeople}</option>
            <option value={1}>{words.formerPeople}</option>
          </select>
        </label>
      </div>
      {found.length === 0 && <p className={widgetClasses['note']}>{words.noPerson}</p>}
      <ul>
        {found.slice(0, SHOWN_MAX).map((user) => (
          <PersonRow key={user.user_id} user={user} isFormer={isFormer}>
            {!isFormer && (
              <input
                type="checkbox"
                // Oneself is in every conversation.
                style={user.user_id === self ? { visibility: 'hidden' } : undefined}
                aria-label={words.writeToAmong(user.full_name)}
                checked={chosen.includes(user.user_id)}
                onChange={({ currentTarget: { checked } }) =>
                  setChosen(checked ? [...chosen, user.user_id] : chosen.filter((id) => id !== user.user_id))
                }
              />
            )}
          </PersonRow>
        ))}
      </ul>
      {found.length > SHOWN_MAX && <p className={classes['hint']}>{words.morePeople(found.length - SHOWN_MAX)}</p>}
      {addressed.length > 0 && (
        <p style={WHERE_IT_IS_SEEN}>
          <a
            className={widgetClasses['primary']}
            style={{ whiteSpace: 'normal' }}
            href={directHash([...addressed.map(({ user_id }) => user_id), self].sort((a, b) => a - b))}
          >
            {words.writeTo(addressed.map(({ full_name }) => full_name).join(', '))}
          </a>
        </p>
      )}
    </>
  );
}

/** @param props.children what stands before the name */
function PersonRow(props: {
  readonly user: User;
  readonly isFormer: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const { user, isFormer, children } = props;
  const [{ fields, self }, state] = [useModel(), useChatState()];
  const { user_id: id, full_name: name, delivery_email: email, avatar_url, role = 400 } = user;
  const { phase, run } = useSaving();
  const [ask, dialog] = useConfirming();
  const isAdministrator = fields.is_admin === true;
  const isBot = user['is_bot'] === true;
  const deactivate = (): void => {
    const path = isBot ? `/bots/${id}` : `/users/${id}`;
    ask({
      title: words.deactivate,
      text: words.deactivateSure(name),
      act: () => void run(() => call('DELETE', path)),
    });
  };
  return (
    <li className={classes['row']}>
      {children}
      <Avatar url={avatar_url} name={name} />
      <span className={classes['grow']}>
        <span>
          <PresenceDot userId={id} /> <a href={`#people/${id}`}>{name}</a> <StatusSign userId={id} state={state} />
          {isBot && <span className={classes['hint']}> {words.bot}</span>}
          {id === self && <span className={classes['hint']}> {words.yourRole}</span>}
        </span>
        <span className={classes['hint']}>
          {breakable([email, ...summaryOf(user, fields)].filter(Boolean).join(' · '))}
        </span>
      </span>
      {isAdministrator && !isFormer && !isBot ? (
        <Role name={name} role={role} save={(next) => call('PATCH', `/users/${id}`, { role: next })} />
      ) : (
        <span className={classes['hint']}>{words.roles[role]}</span>
      )}
      {isAdministrator && (
        <button
          type="button"
          className={widgetClasses['button']}
          aria-label={isFormer ? words.reactivateOf(name) : words.deactivateOf(name)}
          onClick={isFormer ? () => void run(() => call('POST', `/users/${id}/reactivate`)) : deactivate}
        >
          {isFormer ? words.reactivate : words.deactivate}
        </button>
      )}
      {phase.kind === 'refused' && <Told phase={phase} />}
      {dialog}
    </li>
  );
}

function Role(props: {
  readonly name: string;
  readonly role: number;
  readonly save: (role: number) => Promise<unknown>;
}): ReactNode {
  const { name, role, save } = props;
  const { phase, choose, shown } = useChosen(role, save);
  return (
    <>
      <select
        className={`${widgetClasses['input']} ${classes['narrow']}`}
        aria-label={words.roleOf(name)}
        value={shown}
        onChange={(event) => choose(Number(event.currentTarget.value))}
      >
        {Object.entries(words.roles).map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {phase.kind === 'refused' && <Told phase={phase} />}
    </>
  );
}
