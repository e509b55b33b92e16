import { lazy, memo, type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { Lazily } from '../shared/lazily.js';
import { Found, Rendered } from '../shared/rendered.js';
import { clock, dayNameOf, isoOf, narrowTimeOf, onClock, timeOf, wholeTimeOf } from '../shared/time.js';
import { Avatar, IconButton, MenuButton, type MenuItem, Square } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import classes from './message-row.module.css';
import type { RowState } from './model/chat-state.js';
import type { Emoji, Message } from './model/wire.js';
import { placeOfMessage } from './model/place.js';
import { EmojiSign } from './people/emoji-sign.js';
import { StatusSign } from './people/status-sign.js';
import { hashOf, personName, topicName } from './places.js';
import type { MessageRow as Row, OutgoingMessage } from './rows.js';

const Widget = lazy(() => import('./widgets/widget.js'));
const History = lazy(() => import('./history.js'));

/** When a send takes longer, the reader is told that it is not there yet. */
const LATE_AFTER_MS = 1000;

const MENTIONS = ['mentioned', 'stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

export interface RowActions {
  react(message: Message, reaction: Emoji): void;
  star(message: Message): void;
  quote(message: Message): void;
  pickEmoji(message: Message): void;
  menu(message: Message): readonly MenuItem[];
  retry(localId: string): void;
  editAgain(localId: string): void;
  discard(localId: string): void;
}

interface Props {
  readonly row: Row;
  readonly state: RowState;
  /** Undefined where nothing can be done: in the past. */
  readonly actions: RowActions | undefined;
}

export const MessageRow = memo(function MessageRow({ row, state, actions }: Props): ReactNode {
  const { message, outgoing, hasHead, isNewDay, isFirstNew, hasPlace, senderId, timestamp } = row;
  useSyncExternalStore(onClock, clock);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [isHistory, setHistory] = useState(false);
  const toggle = actions === undefined ? undefined : () => setHistory(!isHistory);
  const notes = message === undefined ? null : <Notes message={message} isOpen={isHistory} toggle={toggle} />;
  const sender = state.people.get(senderId);
  const name = sender?.full_name ?? message?.sender_full_name ?? words.unknownPerson;
  const flags = message?.flags ?? [];
  const isMention = MENTIONS.some((flag) => flags.includes(flag));
  return (
    <>
      {isNewDay && (
        <div role="separator" className={classes['day']}>
          {dayNameOf(timestamp)}
        </div>
      )}
      {isFirstNew && (
        <div role="separator" className={classes['new']}>
          {words.newSince}
        </div>
      )}
      {hasPlace && message !== undefined && <PlaceLine message={message} found={row.foundTopic} state={state} />}
      <div className={classes['row']} data-head={hasHead} data-mention={isMention} data-open={isMenuOpen}>
        {hasHead ? (
          <div className={classes['avatar']}>
            <Avatar url={sender?.avatar_url ?? message?.avatar_url} name={name} />
          </div>
        ) : (
          <time
            className={classes['side']}
            dateTime={isoOf(timestamp)}
            title={wholeTimeOf(timestamp)}
            aria-hidden="true"
          >
            {narrowTimeOf(timestamp)}
          </time>
        )}
        <div className={classes['body']}>
          {hasHead ? (
            <div className={classes['head']}>
              <a className={classes['sender']} tabIndex={-1} href={`#people/${senderId}`}>
                {name}
              </a>
              <StatusSign userId={senderId} state={state} />
              {sender?.is_bot === true && <span className={classes['note']}>{words.bot}</span>}
              <time className={classes['time']} dateTime={isoOf(timestamp)} title={wholeTimeOf(timestamp)}>
                {timeOf(timestamp)}
              </time>
              {notes}
            </div>
          ) : (
            <span className="aloud">{`${name}, ${timeOf(timestamp)}`}</span>
          )}
          {flags.includes('starred') && <Star />}
          {message !== undefined && (
            <Content message={message} found={row.foundContent} state={state} isPast={actions === undefined} />
          )}
          {!hasHead && notes}
          {isHistory && message !== undefined && (
            <Lazily>
              <History message={message} />
            </Lazily>
          )}
          {outgoing !== undefined && actions !== undefined && <Outgoing outgoing={outgoing} actions={actions} />}
          {message !== undefined && actions !== undefined && message.reactions.length > 0 && (
            <Reactions message={message} state={state} actions={actions} />
          )}
        </div>
        {message !== undefined && actions !== undefined && (
          <div
            className={classes['actions']}
            // On a touch screen they are shown while the row has the focus: a press that took it would hide what it is on.
            onMouseDown={(event) => event.preventDefault()}
          >
            <IconButton icon="smile" label={words.react} tabIndex={-1} onClick={() => actions.pickEmoji(message)} />
            <IconButton icon="quote" label={words.quote} tabIndex={-1} onClick={() => actions.quote(message)} />
            <IconButton
              icon="star"
              label={flags.includes('starred') ? words.unstar : words.star}
              pressed={flags.includes('starred')}
              tabIndex={-1}
              onClick={() => actions.star(message)}
            />
            <MenuButton label={words.more} items={actions.menu(message)} tabIndex={-1} onToggle={setMenuOpen} />
          </div>
        )}
      </div>
    </>
  );
});

/** What stands while the code of a poll loads is its text, as other clients have it. */
function Content(props: {
  readonly message: Message;
  /** Its content, with what a search has found in it. */
  readonly found: string | undefined;
  readonly state: RowState;
  readonly isPast: boolean;
}): ReactNode {
  const { message, found, state, isPast } = props;
  const text = (
    <Rendered
      html={found ?? message.content}
      meId={state.meId}
      pictures={state.pictures}
      playgrounds={state.playgrounds}
    />
  );
  if ((message.submessages ?? []).length === 0) return text;
  return (
    <Lazily fallback={text}>
      <Widget message={message} state={state} isPast={isPast} />
    </Lazily>
  );
}

function PlaceLine(props: {
  readonly message: Message;
  /** HTML of its topic, with what a search has found in it; empty where it found nothing. */
  readonly found: string;
  readonly state: RowState;
}): ReactNode {
  const { message, found, state } = props;
  const place = placeOfMessage(message, state.meId);
  const channel = place.kind === 'topic' ? state.channels.get(place.channelId) : undefined;
  const shown =
    place.kind === 'topic' ? topicName(place.topic) : place.userIds.map((id) => personName(state, id)).join(', ');
  return (
    <div className={classes['place']}>
      {place.kind === 'topic' && (
        <>
          <Square color={channel?.color ?? 'var(--muted)'} />
          <span>{channel?.name ?? words.unknownChannel}</span>
          <span aria-hidden="true">›</span>
        </>
      )}
      <a href={hashOf(place, state, message.id)} tabIndex={-1}>
        {found.includes('<') ? <Found html={found} /> : shown === '' ? words.yourself : shown}
      </a>
    </div>
  );
}

/** Beside the text, which stays where it is. */
function Star(): ReactNode {
  return (
    <span className={classes['star']}>
      <span aria-hidden="true">★</span>
      <span className="aloud">{words.starred}</span>
    </span>
  );
}

/** How often it was changed: shows what it said before. */
function Notes(props: {
  readonly message: Message;
  readonly isOpen: boolean;
  readonly toggle: (() => void) | undefined;
}): ReactNode {
  const { message, isOpen, toggle } = props;
  const { edit_history: history = [], last_edit_timestamp: editedAt, last_moved_timestamp: movedAt } = message;
  const times = history.filter(({ prev_content }) => prev_content !== undefined).length;
  const changedAt = editedAt ?? movedAt;
  if (changedAt === undefined) return null;
  return (
    <span className={classes['note']}>
      <button
        type="button"
        tabIndex={-1}
        title={wholeTimeOf(changedAt)}
        aria-expanded={isOpen}
        disabled={toggle === undefined}
        onClick={toggle}
      >
        {editedAt === undefined ? words.moved : words.editedTimes(Math.max(1, times))}
      </button>
    </span>
  );
}

function Outgoing({
  outgoing,
  actions,
}: {
  readonly outgoing: OutgoingMessage;
  readonly actions: RowActions;
}): ReactNode {
  const { localId, content, failure } = outgoing;
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <div className={classes['outgoing']}>{content}</div>
      {failure === undefined && isLate && (
        <div className={`${classes['note']} ${classes['late']}`}>{words.sending}</div>
      )}
      {failure !== undefined && (
        <div role="alert" className={classes['failed']}>
          {words.notSent(failure)}
          <button type="button" onClick={() => actions.retry(localId)}>
            {words.retry}
          </button>
          <button type="button" onClick={() => actions.editAgain(localId)}>
            {words.edit}
          </button>
          <button type="button" onClick={() => actions.discard(localId)}>
            {words.discard}
          </button>
        </div>
      )}
    </>
  );
}

function Reactions(props: {
  readonly message: Message;
  readonly state: RowState;
  readonly actions: RowActions;
}): ReactNode {
  const { message, state, actions } = props;
  const groups = Map.groupBy(message.reactions, ({ reaction_type, emoji_code }) => `${reaction_type} ${emoji_code}`);
  return (
    <div className={classes['reactions']}>
      {[...groups].map(([key, group]) => {
        const [first] = group;
        if (first === undefined) return null;
        const names = group.map(({ user_id }) => (user_id === state.meId ? words.you : personName(state, user_id)));
        return (
          <button
            key={key}
            type="button"
            className={classes['reaction']}
            tabIndex={-1}
            aria-pressed={group.some(({ user_id }) => user_id === state.meId)}
            title={words.reactedBy(names, first.emoji_name)}
            onClick={() => actions.react(message, first)}
          >
            <span aria-hidden="true">
              <EmojiSign emoji={first} pictures={state.pictures} />
            </span>
            <span aria-hidden="true">{group.length}</span>
            <span className="aloud">{words.reactedBy(names, first.emoji_name)}</span>
          </button>
        );
      })}
    </div>
  );
}
