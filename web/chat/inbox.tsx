import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { byName } from '../shared/order.js';
import { shortTimeOf } from '../shared/time.js';
import { Badge, IconButton, Square, widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import classes from './conversation.module.css';
import inbox from './inbox.module.css';
import { type LatestLine, useLatestLines } from './latest-lines.js';
import { useChat, useChatState, useModel } from './model/hooks.js';
import type { ChatState } from './model/chat-state.js';
import { directName, hashOf, personName, topicName } from './places.js';
import { type UnreadCounts, unreadCounts } from './unread-counts.js';

type Entry = UnreadCounts['conversations'][number];

/** Everything that is unread: direct conversations, then channels, each with the latest first. */
export function Inbox(): ReactNode {
  const [chat, state] = [useChat(), useChatState()];
  const { conversations, total } = unreadCounts(state);
  const lines = useLatestLines(conversations.map(({ latestId }) => latestId));
  const list = useRef<HTMLDivElement>(null);
  const groups = Map.groupBy(conversations, ({ place }) => (place.kind === 'direct' ? 0 : place.channelId));
  const ordered = [...groups].sort(
    ([a], [b]) => Number(b === 0) - Number(a === 0) || byName(nameOf(state, a), nameOf(state, b)),
  );
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const links = [...(list.current?.querySelectorAll<HTMLAnchorElement>('a[data-key]') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
    const entry = conversations.find(({ key }) => key === links[at]?.dataset['key']);
    if (step !== undefined) links[Math.max(0, Math.min(links.length - 1, at + step))]?.focus();
    else if (event.key === 'e' && entry !== undefined) {
      // The focus goes on to what is next, so that one key after another clears the list.
      (links[at + 1] ?? links[at - 1])?.focus();
      chat.markPlaceRead(entry.place);
    } else if ((event.key === 'm' || event.key === 'f') && entry?.place.kind === 'topic') {
      if (event.key === 'm') (links[at + 1] ?? links[at - 1])?.focus();
      chat.setTopicPolicy(entry.place, event.key === 'm' ? 1 : 3);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <header className={classes['head']}>
        <div className={classes['title']}>
          <h1>{words.inbox}</h1>
          <span className={classes['about']}>{total > 0 && words.unread(total)}</span>
        </div>
      </header>
      <div ref={list} data-list className={inbox['list']} onKeyDown={onKeyDown}>
        <div className={inbox['inner']}>
          {conversations.length === 0 && (
            <div className={widgetClasses['note']}>
              <p>{words.inboxEmpty}</p>
              <p>{words.inboxEmptyHint}</p>
              <Alone state={state} />
            </div>
          )}
          {ordered.map(([group, entries]) => (
            <section key={group} aria-label={nameOf(state, group)}>
              <h2 className={inbox['group']}>
                {group !== 0 && <Square color={state.channels.get(group)?.color ?? ''} />}
                {nameOf(state, group)}
              </h2>
              <ul>
                {entries.map((entry) => (
                  <InboxRow
                    key={entry.key}
                    entry={entry}
                    line={lines.get(entry.latestId)}
                    state={state}
                    read={() => chat.markPlaceRead(entry.place)}
                  />
                ))}
              </ul>
            </section>
          ))}
        </div>
      </div>
    </>
  );
}

/** The first minute of an organization: what to do about being alone in it. */
function Alone({ state }: { readonly state: ChatState }): ReactNode {
  const { fields } = useModel();
  const isAccompanied = [...state.people.values()].some(({ user_id, is_bot }) => user_id !== state.meId && !is_bot);
  if (fields.is_admin !== true || isAccompanied) return null;
  return (
    <p>
      {words.alone} <a href="#organization/invitations">{words.invitePeople}</a>
    </p>
  );
}

const nameOf = (state: ChatState, group: number): string =>
  group === 0 ? words.direct : (state.channels.get(group)?.name ?? words.unknownChannel);

function InboxRow(props: {
  readonly entry: Entry;
  readonly line: LatestLine | undefined;
  readonly state: ChatState;
  readonly read: () => void;
}): ReactNode {
  const { entry, line, state, read } = props;
  const { place, count, mentions, key } = entry;
  const name = place.kind === 'direct' ? directName(state, place.userIds) : topicName(place.topic);
  return (
    <li className={`${inbox['row']} ${inbox['whole']}`}>
      <div className={inbox['what']}>
        <a href={hashOf(place, state)} data-key={key}>
          {name}
        </a>
        <span className={inbox['line']}>{line !== undefined && textIn(state, entry, line)}</span>
      </div>
      {mentions > 0 && <Badge count={mentions} isMention label={words.mentionsOfYou(mentions)} />}
      <Badge count={count} label={words.unread(count)} />
      <time className={inbox['at']}>{line !== undefined && shortTimeOf(line.at)}</time>
      <IconButton icon="check" label={`${words.markAllRead}: ${name}`} tabIndex={-1} onClick={read} />
    </li>
  );
}

/** Says who wrote where it can be somebody else; of somebody who is muted, nothing else. */
function textIn(state: ChatState, { place }: Entry, { senderId, text }: LatestLine): string {
  if (place.kind === 'direct' && place.userIds.length < 2) return text;
  const sender = personName(state, senderId);
  return state.mutedUsers.has(senderId) ? sender : words.said(sender, text);
}
