import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useChatState, useModel } from '../chat/model/hooks.js';
import { hashOf, personName, topicName } from '../chat/places.js';
import { byName } from '../shared/order.js';
import { call } from '../shared/api.js';
import { settingsWords as words } from '../shared/en-settings.js';
import { widgetClasses } from '../shared/widgets.js';
import { paneClasses as classes, Part } from './panes.js';
import { emptied, Told, useSaving } from './saving.js';

/** Whom and what the reader has muted, and words that notify. */
export function Muting(): ReactNode {
  return (
    <>
      <AlertWords />
      <MutedPeople />
      <Topics />
    </>
  );
}

function AlertWords(): ReactNode {
  const known = (useModel().fields.alert_words ?? []) as readonly string[];
  const { phase, run } = useSaving();
  const [word, setWord] = useState('');
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(() => call('POST', '/users/me/alert_words', { alert_words: [word.trim()] })).then((isDone) => {
      if (isDone) setWord(emptied(word));
    });
  };
  return (
    <Part title={words.alertWords} hint={words.alertWordsHint}>
      {known.length === 0 && <p className={classes['row']}>{words.alertWordsNone}</p>}
      <ul>
        {known.map((one) => (
          <li key={one} className={classes['row']}>
            <span className={classes['grow']}>{one}</span>
            <RemoveButton
              name={one}
              act={() => void run(() => call('DELETE', '/users/me/alert_words', { alert_words: [one] }))}
            />
          </li>
        ))}
      </ul>
      <form className={classes['inline']} onSubmit={add}>
        <label className={widgetClasses['field']}>
          {words.alertWord}
          <input
            className={widgetClasses['input']}
            value={word}
            required
            maxLength={100}
            onChange={(event) => setWord(event.currentTarget.value)}
          />
        </label>
        <button type="submit" className={widgetClasses['button']}>
          {words.add}
        </button>
      </form>
      <Told phase={phase} />
    </Part>
  );
}

function RemoveButton({ name, act }: { readonly name: string; readonly act: () => void }): ReactNode {
  return (
    <button type="button" className={widgetClasses['button']} aria-label={words.removeOf(name)} onClick={act}>
      {words.remove}
    </button>
  );
}

function MutedPeople(): ReactNode {
  const state = useChatState();
  const { phase, run } = useSaving();
  const others = [...state.people.values()]
    .filter(({ user_id: id, is_active }) => id !== state.meId && is_active !== false && !state.mutedUsers.has(id))
    .sort((a, b) => byName(a.full_name, b.full_name));
  return (
    <Part title={words.mutedPeople}>
      {state.mutedUsers.size === 0 && <p className={classes['row']}>{words.mutedPeopleNone}</p>}
      <ul>
        {[...state.mutedUsers].map((id) => (
          <li key={id} className={classes['row']}>
            <span className={classes['grow']}>{personName(state, id)}</span>
            <RemoveButton
              name={personName(state, id)}
              act={() => void run(() => call('DELETE', `/users/me/muted_users/${id}`))}
            />
          </li>
        ))}
      </ul>
      <div className={classes['inline']}>
        <label className={widgetClasses['field']}>
          {words.mutePerson}
          <select
            className={widgetClasses['input']}
            value=""
            onChange={(event) => {
              const id = event.currentTarget.value;
              if (id !== '') void run(() => call('POST', `/users/me/muted_users/${id}`));
            }}
          >
            <option value="">{words.noValue}</option>
            {others.map(({ user_id: id, full_name }) => (
              <option key={id} value={id}>
                {full_name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <Told phase={phase} />
    </Part>
  );
}

const POLICIES = { 1: words.muted, 2: words.unmuted, 3: words.followed } as const;

function Topics(): ReactNode {
  const [state, model] = [useChatState(), useModel()];
  const { phase, run } = useSaving();
  const topics = [...(model.topics ?? [])]
    .map(([, { topic }]) => topic)
    .filter((one) => one.visibility_policy in POLICIES);
  return (
    <Part title={words.mutedTopics}>
      {topics.length === 0 && <p className={classes['row']}>{words.mutedTopicsNone}</p>}
      <ul>
        {topics.map(({ stream_id, topic_name: topic, visibility_policy: policy }) => (
          <li key={`${stream_id}/${topic}`} className={classes['row']}>
            <a className={classes['grow']} href={hashOf({ kind: 'topic', channelId: stream_id, topic }, state)}>
              {`${state.channels.get(stream_id)?.name ?? words.unknownChannel} › ${topicName(topic)}`}
            </a>
            <span className={classes['hint']}>{POLICIES[policy as keyof typeof POLICIES]}</span>
            <RemoveButton
              name={topicName(topic)}
              act={() => void run(() => call('POST', '/user_topics', { stream_id, topic, visibility_policy: 0 }))}
            />
          </li>
        ))}
      </ul>
      <Told phase={phase} />
    </Part>
  );
}
