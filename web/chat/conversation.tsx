import {
  lazy,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { MessageList, type Opening } from '../list/message-list.js';
import { Lazily } from '../shared/lazily.js';
import { Icon } from '../shared/icons.js';
import { Loading, widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import { announce, Foot } from './announcer.js';
import { onBegin } from './begin.js';
import { Composer, type ComposerHandle, type ComposerProps } from './composer.js';
import classes from './conversation.module.css';
import { ConversationHead, narrowName } from './conversation-head.js';
import { useDraftKeeper } from './draft-keeper.js';
import { isFocusFree } from './focus-main.js';
import { MessageRow } from './message-row.js';
import type { MessageWindow, WindowState } from './model/message-window.js';
import { useChat, useChatState, useModel, useRowState, useWindow } from './model/hooks.js';
import { narrowKey, operandIn, type Term } from './model/narrow.js';
import { type Place, placeKey, placeOfTerms, termsOf } from './model/place.js';
import { useMoves } from './moves.js';
import { hashOf, personName } from './places.js';
import { type MessageRow as Row, type OutgoingMessage, rowsOf } from './rows.js';
import { type MessageActions, useRowActions } from './row-actions.js';

const Rail = lazy(() => import('../past/rail.js'));

/** The keys of the rail work in the past as soon as its reader is there. */
const loadPast = (): void => void import('../past/past-view.js').catch(() => undefined);

/** Where the reader was in each narrow, while the page lives. */
const positions = new Map<string, { readonly order: number; readonly px: number; readonly isAtEnd: boolean }>();

/** Narrows that are loaded anew at their end, and whether the reader was writing. */
const ends = new Map<string, { readonly generation: number; readonly isTyping: boolean }>();

/** The narrow in which the reader goes on writing, as soon as it is there. */
let writtenIn: string | undefined;

export function Conversation({
  terms,
  near,
}: {
  readonly terms: readonly Term[];
  readonly near: number | undefined;
}): ReactNode {
  const [window, state] = useWindow(terms, near);
  const key = narrowKey(terms);
  return (
    <>
      <ConversationHead terms={terms} />
      <Entered key={`${key} ${near ?? ''}`} terms={terms} near={near} window={window} state={state} />
    </>
  );
}

function WindowFailed(props: {
  readonly terms: readonly Term[];
  readonly reason: string;
  readonly retry: () => void;
}): ReactNode {
  const { terms, reason, retry } = props;
  const { allChannels } = useChatState();
  const channelId = operandIn(terms, 'channel');
  if (typeof channelId === 'number' && !allChannels.some(({ stream_id }) => stream_id === channelId))
    return (
      <p role="alert" className={widgetClasses['note']}>
        {words.noSuchPlace}
      </p>
    );
  return (
    <div role="alert" className={`${widgetClasses['error']} ${classes['failed']}`}>
      {words.messagesFailed(reason)}
      <button type="button" className={widgetClasses['button']} onClick={retry}>
        {words.retry}
      </button>
    </div>
  );
}

/** Without the server, what is not kept is not loading. */
function WindowLoading(): ReactNode {
  const { connection } = useChatState();
  if (connection.kind !== 'offline') return <Loading text={words.loadingMessages} />;
  return (
    <p role="status" className={widgetClasses['note']}>
      {words.notKept}
    </p>
  );
}

/** The reader goes on in another narrow, where they were in this one. */
function takeAlong(key: string, keyThere: string, isTyping: boolean): void {
  const at = positions.get(key);
  if (at !== undefined) positions.set(keyThere, at);
  writtenIn = isTyping ? keyThere : undefined;
}

interface EnteredProps {
  readonly terms: readonly Term[];
  readonly near: number | undefined;
  readonly window: MessageWindow;
  readonly state: WindowState;
}

/** A narrow from the moment at which the reader comes: its messages, once they are there, and what is written. */
function Entered({ terms, near, window, state }: EnteredProps): ReactNode {
  const { meId } = useChatState();
  const key = narrowKey(terms);
  const place = placeOfTerms(terms, meId);
  const list = useRef<MessageList<Row>>(null);
  const composer = useRef<ComposerHandle>(null);
  // Who was writing goes on before the messages are there: on the page, keys mean other things.
  const [isWriting] = useState(writtenIn === key);
  const isReady = state.phase === 'ready';
  const end = useMemo(
    () => (ends.get(key)?.generation === state.generation ? ends.get(key) : undefined),
    [state.generation],
  );
  const { row: actions, dialogs } = useRowActions(composer, place, isReady);
  useFirstFocus(key, isReady, end?.isTyping === true || isWriting, list, composer);
  useMoves(place, composer, (to, isTyping) => takeAlong(key, narrowKey(termsOf(to, meId)), isTyping));
  const toEnd = (): void => {
    if (!isReady) return;
    if (state.foundNewest) list.current?.toEnd();
    else {
      positions.delete(key);
      const isTyping = document.activeElement instanceof HTMLTextAreaElement;
      ends.set(key, { generation: state.generation + 1, isTyping });
      void window.open('newest');
    }
  };
  const sending = useSending(terms, place, toEnd);
  return (
    <>
      {isReady ? (
        <Feed {...{ terms, near, window, state, place, list, composer, actions, toEnd }} isEnd={end !== undefined} />
      ) : (
        <div className={classes['feed']}>
          {state.phase === 'failed' ? (
            <WindowFailed terms={terms} reason={state.failure ?? ''} retry={() => void window.open('first_unread')} />
          ) : (
            <WindowLoading />
          )}
        </div>
      )}
      {(isReady || (isWriting && state.phase === 'loading')) && (
        <>
          <Typing place={place} />
          <ConversationComposer
            terms={terms}
            place={place}
            composer={composer}
            sending={sending}
            onEditLast={() => actions.editLast(state.messages)}
            onEscape={() => list.current?.focusShown(-1)}
          />
        </>
      )}
      {dialogs}
    </>
  );
}

interface FeedProps extends EnteredProps {
  readonly place: Place | undefined;
  readonly list: RefObject<MessageList<Row> | null>;
  readonly composer: RefObject<ComposerHandle | null>;
  readonly actions: MessageActions;
  readonly toEnd: () => void;
  /** Whether it opens at its end. */
  readonly isEnd: boolean;
}

function Feed(props: FeedProps): ReactNode {
  const { terms, near, window, state, place, list, composer, actions, toEnd, isEnd } = props;
  const [chat, model] = [useChat(), useChatState()];
  const { meId } = model;
  const key = narrowKey(terms);
  const [isAtEnd, setAtEnd] = useState(true);
  const [seenId, setSeenId] = useState(0);
  const firstNewId = useFirstNew(state, meId);
  const opening = useMemo(
    (): Opening => (isEnd ? { at: 'end' } : openingOf(state, near, firstNewId, key)),
    [state.generation],
  );
  const outgoing = useOutgoing(place);
  const rows = useRows(state, outgoing, { firstNewId, showsPlaces: place === undefined, meId, keys: chat.keys });
  const shown = useRowState();
  useAnnouncements(state, isAtEnd);

  const lastId = state.messages.at(-1)?.id ?? 0;
  const newBelow = isAtEnd ? 0 : state.messages.filter(({ id, sender_id }) => id > seenId && sender_id !== meId).length;
  const onSeen = (orders: readonly number[]): void => {
    const policy = model.settings.web_mark_read_on_scroll_policy;
    if (policy === 1 || (policy === 2 && place !== undefined)) chat.see(orders);
  };

  return (
    <>
      <div className={classes['feed']}>
        <MessageList
          key={state.generation}
          ref={list}
          rows={rows}
          opening={opening}
          label={words.messagesIn(narrowName(model, terms))}
          isNewest={state.foundNewest}
          render={(row) => <MessageRow row={row} state={shown} actions={actions} />}
          head={
            rows.length > 0 && (
              <p className={classes['note']}>{state.foundOldest ? words.beginning : words.loadingMessages}</p>
            )
          }
          tail={rows.length === 0 && <p className={classes['note']}>{emptyText(terms)}</p>}
          onNearStart={() => window.loadOlder()}
          onNearEnd={() => window.loadNewer()}
          onSeen={onSeen}
          onPlace={(at) => {
            positions.set(key, at);
            const isOutgoing = at.order > lastId;
            if (!isOutgoing) window.lookAt(at.order);
            setAtEnd(at.isAtEnd && state.foundNewest);
            if (at.isAtEnd) setSeenId(lastId);
          }}
          onRowKey={(event, order) => {
            const message = state.messages.find(({ id }) => id === order);
            // What is typed and pressed inside of a row is for that.
            const isOfRow = event.target instanceof Element && event.target.matches('[role=article]');
            if (event.key === 'Escape') composer.current?.focus();
            else if (isOfRow && event.key === 'r') {
              event.preventDefault();
              composer.current?.focus();
            } else if (isOfRow && message !== undefined) actions.onKey(event, message);
          }}
        />
        <Foot>{!isAtEnd && <ToEnd newBelow={newBelow} go={toEnd} />}</Foot>
      </div>
      {place !== undefined && rows.length > 0 && (
        <Lazily fallback={<div className={classes['railSpace']} />}>
          <Rail key={key} place={place} asOf={undefined} onLoad={loadPast} />
        </Lazily>
      )}
    </>
  );
}

function ToEnd({ newBelow, go }: { readonly newBelow: number; readonly go: () => void }): ReactNode {
  return (
    <button type="button" className={classes['pill']} onClick={go} aria-label={newBelow > 0 ? undefined : words.toEnd}>
      {newBelow > 0 && words.newBelow(newBelow)}
      <Icon name="end" />
    </button>
  );
}

/** Who came by keys goes on by keys: what had the focus is gone with the view before. */
function useFirstFocus(
  key: string,
  isReady: boolean,
  isTyping: boolean,
  list: RefObject<MessageList<Row> | null>,
  composer: RefObject<ComposerHandle | null>,
): void {
  // Before the focus is brought back to the messages.
  useLayoutEffect(() => {
    writtenIn = undefined;
    if (isReady) ends.delete(key);
    if (!isFocusFree()) return;
    if (isTyping) composer.current?.focus();
    else list.current?.focusShown();
  }, [isReady]);
}

type Sending = Pick<ComposerProps, 'send' | 'schedule'>;

/** Sends now or later: here, or to a topic that is named with the message. */
function useSending(terms: readonly Term[], place: Place | undefined, toEnd: () => void): Sending {
  const [chat, model] = [useChat(), useChatState()];
  const destination = (topic: string): Place | undefined => {
    const channelId = operandIn(terms, 'channel');
    return place ?? (typeof channelId === 'number' ? { kind: 'topic', channelId, topic } : undefined);
  };
  return {
    send(content, topic) {
      const to = destination(topic);
      if (to === undefined) return;
      chat.send(to, content);
      if (place === undefined) {
        writtenIn = narrowKey(termsOf(to, model.meId));
        location.hash = hashOf(to, model);
      } else requestAnimationFrame(toEnd);
    },
    async schedule(content, topic, at) {
      const to = destination(topic);
      if (to !== undefined) await chat.schedule(to, content, at);
    },
  };
}

const NOTHING: readonly never[] = [];

function useOutgoing(place: Place | undefined): readonly OutgoingMessage[] {
  const chat = useChat();
  return useSyncExternalStore(chat.subscribe, () => (place === undefined ? NOTHING : chat.outgoing(place)));
}

function openingOf(state: WindowState, near: number | undefined, firstNewId: number | undefined, key: string): Opening {
  if (near !== undefined) return { at: 'row', order: near, part: 0.5 };
  if (firstNewId !== undefined) return { at: 'row', order: firstNewId };
  const before = positions.get(key);
  if (before !== undefined && !before.isAtEnd) return { at: 'row', order: before.order, px: before.px };
  return state.anchorId === undefined || state.foundNewest ? { at: 'end' } : { at: 'row', order: state.anchorId };
}

/** The first message that was unread on entering. Another only after the window lost the focus and something came. */
function useFirstNew({ messages, generation }: WindowState, meId: number): number | undefined {
  const firstUnread = (after: number): number | undefined =>
    messages.find(({ id, flags, sender_id }) => id > after && sender_id !== meId && !flags.includes('read'))?.id;
  const [found, setFound] = useState(() => ({ generation, id: firstUnread(0) }));
  // Another list is entered anew.
  const current = found.generation === generation ? found : { generation, id: firstUnread(0) };
  if (current !== found) setFound(current);
  const leftAtId = useRef<number>(undefined);
  const lastId = messages.at(-1)?.id ?? 0;
  useEffect(() => {
    const leave = (): void => {
      leftAtId.current = lastId;
    };
    addEventListener('blur', leave);
    return () => removeEventListener('blur', leave);
  }, [lastId]);
  useEffect(() => {
    if (document.hasFocus() || leftAtId.current === undefined) return;
    const id = firstUnread(leftAtId.current);
    if (id === undefined) return;
    leftAtId.current = undefined;
    setFound({ generation, id });
  }, [lastId]);
  return current.id;
}

function useRows(
  state: WindowState,
  outgoing: Parameters<typeof rowsOf>[1],
  options: Parameters<typeof rowsOf>[2],
): readonly Row[] {
  const before = useRef<ReadonlyMap<string, Row>>(new Map());
  const { firstNewId, showsPlaces, meId, keys } = options;
  const { messages, matches } = state;
  const rows = useMemo(
    () => rowsOf(messages, outgoing, { firstNewId, showsPlaces, meId, keys, matches }, before.current),
    [messages, outgoing, firstNewId, showsPlaces, meId, keys, matches],
  );
  useEffect(() => {
    before.current = new Map(rows.map((row) => [row.key, row]));
  }, [rows]);
  return rows;
}

/** Tells a screen reader of what others write here. */
function useAnnouncements({ messages, foundNewest }: WindowState, isAtEnd: boolean): void {
  const model = useChatState();
  const lastId = messages.at(-1)?.id ?? 0;
  // What was there before may be loaded later.
  const told = useRef(Math.max(lastId, useModel().maxMessageId ?? 0));
  useEffect(() => {
    const fresh = messages.filter(({ id, sender_id }) => id > told.current && sender_id !== model.meId);
    told.current = Math.max(told.current, lastId);
    if (foundNewest) announce(fresh.map(({ sender_id }) => personName(model, sender_id)));
  }, [lastId, isAtEnd]);
}

function emptyText(terms: readonly Term[]): string {
  const is = terms.length === 1 ? operandIn(terms, 'is') : undefined;
  if (is === 'starred') return words.starredEmpty;
  if (is === 'mentioned') return words.mentionsEmpty;
  const isPlace = terms.every(({ operator }) => ['channel', 'topic', 'dm'].includes(operator));
  return isPlace ? words.conversationEmpty : words.narrowEmpty;
}

function Typing({ place }: { readonly place: Place | undefined }): ReactNode {
  const state = useChatState();
  const there = place === undefined ? undefined : state.typing.get(placeKey(place));
  const names = [...(there?.keys() ?? [])].map((id) => personName(state, id));
  return <div className={classes['typing']}>{names.length > 0 && words.typing(names)}</div>;
}

function ConversationComposer(props: {
  readonly terms: readonly Term[];
  readonly place: Place | undefined;
  readonly composer: RefObject<ComposerHandle | null>;
  readonly sending: Sending;
  readonly onEditLast: () => void;
  readonly onEscape: () => void;
}): ReactNode {
  const { terms, place, composer, sending, onEditLast, onEscape } = props;
  const [chat, model] = [useChat(), useChatState()];
  const channelId = operandIn(terms, 'channel');
  const isChannel = place === undefined && terms.length === 1 && typeof channelId === 'number';
  const keeper = useDraftKeeper(place, Number(channelId));
  // The event of a channel that was just created comes after the answer.
  const canWrite = typeof channelId === 'number' ? model.channels.has(channelId) : place !== undefined;
  useEffect(
    () => (isChannel && canWrite ? onBegin(channelId, () => composer.current?.begin()) : undefined),
    [isChannel, canWrite, channelId],
  );
  if (!canWrite || (place === undefined && !isChannel)) return null;
  return (
    <Composer
      ref={composer}
      keeper={keeper}
      conversation={place}
      label={words.messageTo(narrowName(model, terms))}
      asksTopic={isChannel}
      isTopicNeeded={model.limits.isTopicNeeded}
      lengthMax={model.limits.messageLength}
      enterSends={model.settings.enter_sends}
      onChangeEnter={() => chat.set({ enter_sends: !model.settings.enter_sends })}
      {...sending}
      onTyping={() => place !== undefined && chat.type(place)}
      onEditLast={onEditLast}
      onEscape={onEscape}
    />
  );
}
