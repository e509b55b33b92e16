import { lazy, type ReactNode, useState } from 'react';
import { Lazily, Opening } from '../shared/lazily.js';
import { MenuButton, type MenuItem, Square } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import { backIf, say } from './announcer.js';
import classes from './conversation.module.css';
import type { ChatState } from './model/chat-state.js';
import { useChat, useChatState } from './model/hooks.js';
import { channelHash, operandIn, type Term } from './model/narrow.js';
import { type Place, placeKey, placeOfTerms, type TopicPlace } from './model/place.js';
import type { TopicPolicy } from './model/wire.js';
import { queryOf } from './search/query.js';
import { markedName, placeName, topicName } from './places.js';
import { ViewHead } from './view-head.js';

const MoveDialog = lazy(() => import('./move/move-dialog.js'));

/** What a narrow is called. */
export function narrowName(state: ChatState, terms: readonly Term[]): string {
  const place = placeOfTerms(terms, state.meId);
  if (place !== undefined) return placeName(state, place);
  const channelId = operandIn(terms, 'channel');
  if (typeof channelId === 'number' && terms.length === 1) return markedName(state, channelId);
  if (terms.length === 0) return words.allMessages;
  const is = operandIn(terms, 'is');
  if (terms.length === 1 && is === 'mentioned') return words.mentions;
  if (terms.length === 1 && is === 'starred') return words.starred;
  return `${words.search}: ${queryOf(terms, state)}`;
}

export function ConversationHead({ terms }: { readonly terms: readonly Term[] }): ReactNode {
  const state = useChatState();
  const channelId = operandIn(terms, 'channel');
  const topic = operandIn(terms, 'topic');
  // With more terms it is a search in the channel.
  const isChannel = typeof channelId === 'number' && terms.length === (topic === undefined ? 1 : 2);
  const channel = isChannel ? state.channels.get(channelId) : undefined;
  const place = placeOfTerms(terms, state.meId);
  return (
    <ViewHead
      title={
        channel === undefined ? (
          <span>{narrowName(state, terms)}</span>
        ) : (
          <>
            <Square color={channel.color} />
            {topic === undefined ? (
              <span>{channel.name}</span>
            ) : (
              <>
                <a href={channelHash(channel.stream_id, channel.name)}>{channel.name}</a>
                <span aria-hidden="true">›</span>
                <span>{topicName(String(topic))}</span>
              </>
            )}
          </>
        )
      }
      about={
        <>
          {channel?.subscriber_count !== undefined && (
            <a className={classes['about']} href={`#browse/${channel.stream_id}`} title={words.channelAbout}>
              {words.people(channel.subscriber_count)}
            </a>
          )}
          {topic === undefined && channel !== undefined && (
            <span className={classes['about']}>{channel.description}</span>
          )}
        </>
      }
    >
      {place !== undefined && <PlaceMenu place={place} />}
    </ViewHead>
  );
}

/** What a reader can do with a conversation. */
function PlaceMenu({ place }: { readonly place: Place }): ReactNode {
  const [chat, state] = [useChat(), useChatState()];
  const [isMoving, setMoving] = useState(false);
  const policy = state.topicPolicies.get(placeKey(place)) ?? 0;
  const read: MenuItem = { label: words.markAllRead, icon: 'check', act: () => chat.markPlaceRead(place) };
  if (place.kind === 'direct') return <MenuButton label={words.more} items={[read]} />;
  const set = (next: TopicPolicy, told: string) => () => {
    chat.setTopicPolicy(place, next);
    say(told);
  };
  const isResolved = place.topic.startsWith(RESOLVED);
  const toggleResolved = (from: TopicPlace): void => {
    const wasResolved = from.topic.startsWith(RESOLVED);
    chat.renameTopic(
      from,
      wasResolved ? from.topic.slice(RESOLVED.length) : `${RESOLVED}${from.topic}`,
      (to, { areAlone }) => {
        say(
          wasResolved ? words.unresolved : words.resolved,
          areAlone && (() => chat.attempt(backIf(areAlone, () => toggleResolved(to)))),
          to,
        );
      },
    );
  };
  const items: MenuItem[] = [
    read,
    {
      label: isResolved ? words.unresolve : words.resolve,
      icon: 'check',
      act: () => toggleResolved(place),
    },
    { label: words.moveTopic, icon: 'move', act: () => setMoving(true) },
    policy === 3
      ? { label: words.unfollow, icon: 'follow', act: set(0, words.unfollowed) }
      : { label: words.follow, icon: 'follow', act: set(3, words.followed) },
    policy === 1
      ? { label: words.unmute, icon: 'bell', act: set(0, words.unmuted) }
      : { label: words.mute, icon: 'mute', act: set(1, words.muted) },
  ];
  return (
    <>
      <MenuButton label={words.topicMenu} items={items} />
      {isMoving && (
        <Lazily fallback={<Opening />}>
          <MoveDialog from={place} onClose={() => setMoving(false)} />
        </Lazily>
      )}
    </>
  );
}

/** Beginning of the name of a topic that is resolved. */
export const RESOLVED = '✔ ';
