import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { call } from '../shared/api.js';
import { Icon } from '../shared/icons.js';
import { Badge } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import { beginIn } from './begin.js';
import type { ChatState } from './model/chat-state.js';
import { useChat } from './model/hooks.js';
import { operandIn, type Route } from './model/narrow.js';
import { placeKey } from './model/place.js';
import type { Channel } from './model/wire.js';
import { hashOf, topicName } from './places.js';
import classes from './places.module.css';

const TOPICS_SHOWN = 6;

interface Topic {
  readonly name: string;
  readonly max_id: number;
}

/** The newest topics of a channel, those that are unread, and the way to begin another. */
export function PlacesTopics(props: {
  readonly channel: Channel;
  readonly state: ChatState;
  readonly route: Route;
}): ReactNode {
  const { channel, state, route } = props;
  const { stream_id: channelId, name: channelName } = channel;
  const [isWhole, setWhole] = useState(false);
  // What is unread may be in a topic that is not in the list yet.
  const unread = [...state.unread.values()].filter(
    ({ place }) => place.kind === 'topic' && place.channelId === channelId,
  );
  const isHere = route.view === 'narrow' && operandIn(route.terms, 'channel') === channelId;
  const operand = isHere ? operandIn(route.terms, 'topic') : undefined;
  const current = operand === undefined ? undefined : String(operand);
  const latestId = Math.max(0, ...unread.map((one) => one.latestId));
  // What the reader sends to a new topic makes it once the server has it.
  const sending = useSending(channelId, current);
  const { topics, hasFailed, retry } = useTopics(channelId, `${latestId} ${sending} ${current ?? ''}`);
  const shown = topics.filter(({ name }, index) => {
    const key = placeKey({ kind: 'topic', channelId, topic: name });
    return isWhole || index < TOPICS_SHOWN || state.unread.has(key) || name === current;
  });
  const className = `${classes['place']} ${classes['topic']}`;
  return (
    <ul aria-label={words.topicsOf(channelName)}>
      {shown.map(({ name }) => (
        <TopicPlace key={name} channelId={channelId} name={name} state={state} current={current} />
      ))}
      {shown.length < topics.length && (
        <li>
          <button type="button" className={className} data-muted onClick={() => setWhole(true)}>
            {words.allTopics(topics.length)}
          </button>
        </li>
      )}
      {hasFailed && (
        <li>
          <button type="button" className={className} data-muted onClick={retry}>
            <span className={classes['text']}>{words.topicsFailed}</span>
          </button>
        </li>
      )}
      <li>
        <button type="button" className={className} data-muted onClick={() => beginIn(channel)}>
          <Icon name="plus" size={12} />
          {words.newTopic}
        </button>
      </li>
    </ul>
  );
}

function TopicPlace(props: {
  readonly channelId: number;
  readonly name: string;
  readonly state: ChatState;
  readonly current: string | undefined;
}): ReactNode {
  const { channelId, name, state, current } = props;
  const place = { kind: 'topic', channelId, topic: name } as const;
  const key = placeKey(place);
  const { count = 0, mentions = 0 } = state.unread.get(key) ?? {};
  return (
    <li>
      <a
        className={`${classes['place']} ${classes['topic']}`}
        href={hashOf(place, state)}
        aria-current={current?.toLowerCase() === name.toLowerCase() ? 'page' : undefined}
        data-muted={state.topicPolicies.get(key) === 1}
        data-unread={count > 0}
      >
        {name.startsWith('✔ ') && <Icon name="check" size={12} />}
        <span className={classes['text']}>{topicName(name.replace(/^✔ /, ''))}</span>
        <Badge count={count} isMention={mentions > 0} label={words.unread(count)} />
      </a>
    </li>
  );
}

/** How many messages are on their way to the topic that is shown. */
function useSending(channelId: number, topic: string | undefined): number {
  const chat = useChat();
  return useSyncExternalStore(chat.subscribe, () =>
    topic === undefined ? 0 : chat.outgoing({ kind: 'topic', channelId, topic }).length,
  );
}

/** Topics of a channel, newest first. @param moment when it changes, they are asked for again */
function useTopics(channelId: number, moment: string) {
  const [topics, setTopics] = useState<readonly Topic[]>([]);
  const [hasFailed, setFailed] = useState(false);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const stop = new AbortController();
    call<{ readonly topics: readonly Topic[] }>(
      'GET',
      `/users/me/${channelId}/topics`,
      { allow_empty_topic_name: true },
      stop.signal,
    ).then(
      (answer) => {
        setTopics(answer.topics);
        setFailed(false);
      },
      () => {
        if (!stop.signal.aborted) setFailed(true);
      },
    );
    return () => stop.abort();
  }, [channelId, moment, attempt]);
  return { topics, hasFailed, retry: () => setAttempt(attempt + 1) };
}
