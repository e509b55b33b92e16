import { type ReactNode, useCallback, useState } from 'react';
import type { State } from '#client';
import { useModel } from '../chat/model/hooks.js';
import { byName } from '../shared/order.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { Avatar, Loading, Problem, widgetClasses } from '../shared/widgets.js';
import { SearchField } from '../settings/search-field.js';
import { paneClasses as classes } from '../settings/panes.js';
import { PersonPicker } from '../settings/person-picker.js';
import { Told, useSaving } from '../settings/saving.js';
import { useLoad } from '../settings/use-load.js';

/** More are found by a part of their names. */
const SHOWN_MAX = 100;

type Channel = NonNullable<ReturnType<NonNullable<State['channels']>['get']>>;

/** Who is subscribed to a channel; those who may add and remove people. */
export function Subscribers({
  channel,
  because,
}: {
  readonly channel: Channel;
  readonly because: string | undefined;
}): ReactNode {
  const { stream_id: id, name, subscriber_count: count } = channel;
  const { users, self } = useModel();
  const { phase, run } = useSaving();
  const [query, setQuery] = useState('');
  const load = useCallback(async () => {
    const { subscribers } = await call<{ readonly subscribers: readonly number[] }>('GET', `/streams/${id}/members`);
    return subscribers;
    // When others join or leave, the number changes.
  }, [id, count]);
  const { value: ids, reason, refresh } = useLoad(load);
  const change = (verb: 'POST' | 'DELETE', userId: number): void => {
    const subscriptions = verb === 'POST' ? [{ name }] : [name];
    void run(async () => {
      await call(verb, '/users/me/subscriptions', { subscriptions, principals: [userId] });
      await refresh();
    });
  };
  if (ids === undefined) return reason === undefined ? <Loading /> : <Problem reason={reason} />;
  const wanted = query.trim().toLowerCase();
  const found = ids
    .flatMap((userId) => users?.get(userId) ?? [])
    .filter(({ full_name }) => full_name.toLowerCase().includes(wanted))
    .sort((a, b) => byName(a.full_name, b.full_name));
  return (
    <>
      <p className={classes['hint']}>{words.subscribersOf(ids.length)}</p>
      <PersonPicker label={words.addSubscriber} excluded={ids} choose={(userId) => change('POST', userId)} />
      <Problem reason={reason} />
      <Told phase={phase} />
      <SearchField label={words.findSubscriber} query={query} setQuery={setQuery} />
      {found.length === 0 && <p className={widgetClasses['note']}>{words.noSubscribers}</p>}
      <ul>
        {found.slice(0, SHOWN_MAX).map(({ user_id: userId, full_name, avatar_url }) => (
          <li key={userId} className={classes['row']}>
            <Avatar url={avatar_url} name={full_name} size={28} />
            <a className={classes['grow']} href={`#people/${userId}`}>
              {full_name}
            </a>
            {(because === undefined || userId === self) && (
              <button
                type="button"
                className={widgetClasses['button']}
                aria-label={words.unsubscribePerson(full_name)}
                onClick={() => change('DELETE', userId)}
              >
                {words.unsubscribe}
              </button>
            )}
          </li>
        ))}
      </ul>
      {found.length > SHOWN_MAX && <p className={classes['hint']}>{words.morePeople(found.length - SHOWN_MAX)}</p>}
    </>
  );
}
