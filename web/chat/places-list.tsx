import { memo, type ReactNode, useEffect, useRef, useState } from 'react';
import { byName } from '../shared/order.js';
import { Icon, type IconName } from '../shared/icons.js';
import { Badge, Square } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import { useLeftAt } from './left.js';
import type { ChatState } from './model/chat-state.js';
import { useChatState, useRoute } from './model/hooks.js';
import { channelHash, operandIn, type Route } from './model/narrow.js';
import type { Channel } from './model/wire.js';
import classes from './places.module.css';
import { placeKey, placeOfTerms } from './model/place.js';
import { PresenceDot } from './people/presence-dot.js';
import { StatusSign } from './people/status-sign.js';
import { directName, hashOf } from './places.js';
import { PlacesTopics } from './places-topics.js';
import { unreadCounts } from './unread-counts.js';

const DIRECTS_SHOWN = 8;

/** The list of places: views, direct conversations, channels. */
export const PlacesList = memo(function PlacesList(): ReactNode {
  const [state, route] = [useChatState(), useRoute()];
  const counts = unreadCounts(state);
  const leftAt = useLeftAt();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => showCurrent(list.current?.parentElement), [location.hash]);
  const is = (value: string): boolean => route.view === 'narrow' && operandIn(route.terms, 'is') === value;
  return (
    <>
      <ul ref={list}>
        <ViewPlace
          icon="inbox"
          text={words.inbox}
          hash="#inbox"
          isCurrent={route.view === 'inbox'}
          count={counts.total}
        />
        <ViewPlace
          icon="at"
          text={words.mentions}
          hash="#narrow/is/mentioned"
          isCurrent={is('mentioned')}
          count={counts.mentions}
          isMention
        />
        <ViewPlace icon="clock" text={words.recent} hash="#recent" isCurrent={route.view === 'recent'} />
        {leftAt !== undefined && (
          <ViewPlace
            icon="history"
            text={words.sinceLeft(Date.now() / 1000 - leftAt)}
            hash={`#since/${leftAt}`}
            isCurrent={route.view === 'since'}
          />
        )}
        <ViewPlace icon="star" text={words.starred} hash="#narrow/is/starred" isCurrent={is('starred')} />
        <ViewPlace icon="pencil" text={words.drafts} hash="#drafts" isCurrent={route.view === 'drafts'} />
        <ViewPlace
          icon="message"
          text={words.allMessages}
          hash="#narrow"
          isCurrent={route.view === 'narrow' && route.terms.length === 0}
        />
      </ul>
      <Directs state={state} route={route} />
      <Channels state={state} route={route} />
    </>
  );
});

/** Whoever came by another way sees in a long list where they are. Of a topic that is not listed yet, its channel. */
function showCurrent(places: HTMLElement | null | undefined): void {
  const current = places?.querySelector('[aria-current=page]') ?? places?.querySelector('[data-current=true]');
  current?.scrollIntoView({ block: 'nearest' });
}

function ViewPlace(props: {
  readonly icon: IconName;
  readonly text: string;
  readonly hash: string;
  readonly isCurrent: boolean;
  readonly count?: number;
  readonly isMention?: boolean;
}): ReactNode {
  const { icon, text, hash, isCurrent, count = 0, isMention = false } = props;
  return (
    <li>
      <a className={classes['place']} href={hash} aria-current={isCurrent ? 'page' : undefined} data-unread={count > 0}>
        <Icon name={icon} />
        <span className={classes['text']}>{text}</span>
        <Badge
          count={count}
          isMention={isMention}
          label={isMention ? words.mentionsOfYou(count) : words.unread(count)}
        />
      </a>
    </li>
  );
}

interface ListProps {
  readonly state: ChatState;
  readonly route: Route;
}

function Directs({ state, route }: ListProps): ReactNode {
  const current = route.view === 'narrow' ? placeOfTerms(route.terms, state.meId) : undefined;
  const currentKey = current === undefined ? '' : placeKey(current);
  const places = state.directs.map((userIds) => ({ kind: 'direct', userIds }) as const);
  const shown = places.filter(
    (place, index) => index < DIRECTS_SHOWN || placeKey(place) === currentKey || state.unread.has(placeKey(place)),
  );
  return (
    <div className={classes['group']}>
      <Title id="directs" text={words.direct} hash="#people" add={words.addDirect} />
      <ul>
        {shown.map((place) => {
          const key = placeKey(place);
          const count = state.unread.get(key)?.count ?? 0;
          return (
            <li key={key}>
              <a
                className={classes['place']}
                href={hashOf(place, state)}
                aria-current={key === currentKey ? 'page' : undefined}
                data-unread={count > 0}
              >
                {place.userIds.length === 1 && <PresenceDot userId={place.userIds[0] ?? 0} />}
                <span className={classes['text']}>{directName(state, place.userIds)}</span>
                {place.userIds.length === 1 && <StatusSign userId={place.userIds[0] ?? 0} state={state} />}
                <Badge count={count} isMention label={words.unread(count)} />
              </a>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function Title(props: {
  readonly id: string;
  readonly text: string;
  /** Where more of them are found or begun, and what that is called. */
  readonly hash: string;
  readonly add: string;
}): ReactNode {
  const { id, text, hash, add } = props;
  return (
    <h2 id={id} className={classes['title']}>
      {text}
      <a href={hash} aria-label={add} title={add}>
        <Icon name="plus" />
      </a>
    </h2>
  );
}

/** Pinned channels first, muted ones last, by name among them. */
function inOrder(channels: Iterable<Channel>): Channel[] {
  const rank = ({ pin_to_top, is_muted }: Channel): number => (pin_to_top ? 0 : is_muted ? 2 : 1);
  return [...channels].sort((a, b) => rank(a) - rank(b) || byName(a.name, b.name));
}

function Channels({ state, route }: ListProps): ReactNode {
  // The one that is shown is open, unless the reader has closed it.
  const [toggled, setToggled] = useState<ReadonlyMap<number, boolean>>(new Map());
  const current = route.view === 'narrow' ? operandIn(route.terms, 'channel') : undefined;
  const { byChannel } = unreadCounts(state);
  return (
    <div className={classes['group']}>
      <Title id="channels" text={words.channels} hash="#browse" add={words.addChannel} />
      <ul>
        {inOrder(state.channels.values()).map((channel) => {
          const { stream_id: id, name, color, is_muted, invite_only, is_web_public } = channel;
          const { count = 0, mentions = 0 } = byChannel.get(id) ?? {};
          const isCurrent = current === id;
          const isOpen = toggled.get(id) ?? isCurrent;
          const isWhole = isCurrent && route.view === 'narrow' && operandIn(route.terms, 'topic') === undefined;
          return (
            <li key={id}>
              <div className={classes['channel']} data-current={isCurrent}>
                <button
                  type="button"
                  className={classes['toggle']}
                  aria-label={words.topicsOf(name)}
                  title={words.topicsOf(name)}
                  aria-expanded={isOpen}
                  onClick={() => setToggled(new Map([...toggled, [id, !isOpen]]))}
                >
                  <Icon name={isOpen ? 'down' : 'next'} size={14} />
                </button>
                <a
                  className={classes['place']}
                  href={channelHash(id, name)}
                  aria-current={isWhole ? 'page' : undefined}
                  data-muted={is_muted}
                  data-unread={count > 0}
                >
                  <Square color={color} />
                  <span className={classes['text']}>{name}</span>
                  {invite_only && <Icon name="lock" size={12} />}
                  {is_web_public && <Icon name="globe" size={12} />}
                  <Badge count={count} isMention={mentions > 0} label={words.unread(count)} />
                </a>
              </div>
              {isOpen && <PlacesTopics channel={channel} state={state} route={route} />}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
