/** What a reader can do with a message: by its buttons, its menu, and by keys while it has the focus. */
import { type KeyboardEvent, lazy, type ReactNode, useEffect, useMemo, useState } from 'react';
import { Lazily, Opening } from '../shared/lazily.js';
import { call } from '../shared/api.js';
import { Buttons, Dialog, type MenuItem } from '../shared/widgets.js';
import { toggleMotion } from '../shared/still.js';
import { words } from '../shared/words.js';
import type { ComposerHandle } from './composer.js';
import { copyLink } from './copy-link.js';
import type { RowActions } from './message-row.js';
import { useChat, useChatState } from './model/hooks.js';
import { rawOf } from './model/raw.js';
import type { Message } from './model/wire.js';
import { type Place, placeOfMessage } from './model/place.js';
import { hashOf } from './places.js';

const EmojiPicker = lazy(() => import('./emoji-picker.js'));
const EditDialog = lazy(() => import('./edit/edit-dialog.js'));
const MoveDialog = lazy(() => import('./move/move-dialog.js'));
const ReadersDialog = lazy(() => import('./people/readers-dialog.js'));
const RemindDialog = lazy(() => import('./later/remind-dialog.js'));

interface Open {
  readonly kind: 'emoji' | 'delete' | 'edit' | 'move' | 'readers' | 'remind';
  readonly message: Message;
}

const ADMINISTRATOR = 200;

export interface MessageActions extends RowActions {
  onKey(event: KeyboardEvent, message: Message): void;
  editLast(messages: readonly Message[]): void;
}

/** What is quoted in the composer of its own conversation, as soon as that is shown at this address. */
let quoted: { readonly hash: string; readonly message: Message } | undefined;

export interface Actions {
  /** The same at each draw. */
  readonly row: MessageActions;
  /** What is open over the page. */
  readonly dialogs: ReactNode;
}

/** @param isReady whether the composer is there */
export function useRowActions(
  composer: React.RefObject<ComposerHandle | null>,
  place: Place | undefined,
  isReady: boolean,
): Actions {
  const [chat, state] = [useChat(), useChatState()];
  const [open, setOpen] = useState<Open>();
  const latest = { chat, state, place };
  // Rows are drawn again only when they change, so what they call must stay the same.
  const current = useMemo(() => ({ ...latest }), []);
  Object.assign(current, latest);
  const actions = useMemo(() => actionsOn(current, composer, setOpen), []);
  useEffect(() => {
    if (!isReady) return;
    if (quoted?.hash === location.hash) actions.quote(quoted.message);
    quoted = undefined;
  }, [isReady]);
  return {
    row: actions,
    dialogs: open !== undefined && (
      <Opened open={open} close={() => setOpen(undefined)} actions={actions} isHere={place !== undefined} />
    ),
  };
}

interface Current {
  readonly chat: ReturnType<typeof useChat>;
  readonly state: ReturnType<typeof useChatState>;
  readonly place: Place | undefined;
}

function actionsOn(
  current: Current,
  composer: React.RefObject<ComposerHandle | null>,
  setOpen: (open: Open) => void,
): MessageActions {
  const quote = async (message: Message): Promise<void> => {
    const link = hashOf(placeOfMessage(message, current.state.meId), current.state, message.id);
    const { content } = await rawOf(message);
    const name = current.state.people.get(message.sender_id)?.full_name ?? message.sender_full_name;
    const fence = '`'.repeat(Math.max(3, ...[...content.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    composer.current?.insert(
      `@_**${name}|${message.sender_id}** [said](${link}):\n${fence}quote\n${content}\n${fence}\n`,
    );
  };
  const actions: MessageActions = {
    react: (message, reaction) => current.chat.attempt(current.chat.react(message, reaction)),
    star: (message) => current.chat.star(message),
    quote: (message) => {
      // In a list of several conversations the answer is written in that of the message.
      if (current.place === undefined) {
        location.hash = hashOf(placeOfMessage(message, current.state.meId), current.state, message.id);
        quoted = { hash: location.hash, message };
      } else current.chat.attempt(quote(message));
    },
    pickEmoji: (message) => setOpen({ kind: 'emoji', message }),
    menu: (message) => menuOf(message, current, setOpen),
    retry: (localId) => current.chat.retry(localId),
    discard: (localId) => void current.chat.discard(localId),
    editAgain: (localId) => {
      const content = current.chat.discard(localId);
      if (content !== undefined) composer.current?.replace(content);
    },
    onKey: (event, message) => {
      if (event.ctrlKey || event.metaKey) return;
      if (event.key === '*') actions.star(message);
      else if (event.key === '+') actions.pickEmoji(message);
      else if (event.key === '>') actions.quote(message);
      else if (event.key === 'p' && event.target instanceof Element) toggleMotion(event.target);
      else if (event.key === 'Enter') openMenu(event.target);
      else return;
      event.preventDefault();
    },
    editLast: (messages) => {
      const message = messages.findLast(({ sender_id }) => sender_id === current.state.meId);
      if (message !== undefined) setOpen({ kind: 'edit', message });
    },
  };
  return actions;
}

function menuOf(message: Message, { state, chat }: Current, setOpen: (open: Open) => void): MenuItem[] {
  const isMine = message.sender_id === state.meId;
  const isAdministrator = (state.people.get(state.meId)?.role ?? ADMINISTRATOR + 1) <= ADMINISTRATOR;
  const place = placeOfMessage(message, state.meId);
  const link = `${location.origin}/${hashOf(place, state, message.id)}`;
  return [
    { label: words.react, icon: 'smile', act: () => setOpen({ kind: 'emoji', message }) },
    ...(isMine ? [{ label: words.edit, icon: 'pencil', act: () => setOpen({ kind: 'edit', message }) } as const] : []),
    { label: words.copyLink, icon: 'link', act: () => chat.attempt(copyLink(link)) },
    ...(place.kind === 'topic'
      ? [{ label: words.moveMessage, icon: 'move', act: () => setOpen({ kind: 'move', message }) } as const]
      : []),
    ...(chat.model()?.fields.realm_enable_read_receipts === true
      ? [{ label: words.whoRead, icon: 'eye', act: () => setOpen({ kind: 'readers', message }) } as const]
      : []),
    { label: words.remindMe, icon: 'clock', act: () => setOpen({ kind: 'remind', message }) },
    { label: words.markUnreadFrom, icon: 'bell', act: () => chat.attempt(chat.markUnreadFrom(message)) },
    ...(isMine || isAdministrator
      ? [
          {
            label: words.delete,
            icon: 'trash',
            isDangerous: true,
            act: () => setOpen({ kind: 'delete', message }),
          } as const,
        ]
      : []),
  ];
}

/** The menu of a row, by its key. */
function openMenu(row: EventTarget): void {
  if (row instanceof Element) row.querySelector<HTMLElement>('[aria-haspopup=menu]')?.click();
}

/** The reader follows what they move, unless others stay where it was. */
function Move(props: { readonly message: Message; readonly isHere: boolean; readonly close: () => void }): ReactNode {
  const { message, isHere, close } = props;
  const state = useChatState();
  const from = placeOfMessage(message, state.meId);
  if (from.kind !== 'topic') return null;
  return (
    <MoveDialog
      from={from}
      messageId={message.id}
      onClose={close}
      onMoved={(to, id) => {
        if (isHere) location.hash = hashOf(to, state, id);
      }}
    />
  );
}

function Opened(props: {
  readonly open: Open;
  readonly close: () => void;
  readonly actions: RowActions;
  /** Whether the page shows the conversation of the message, and nothing else. */
  readonly isHere: boolean;
}): ReactNode {
  const { open, close, actions, isHere } = props;
  const chat = useChat();
  if (open.kind === 'delete')
    return (
      <Dialog title={words.delete} onClose={close}>
        <p>{words.deleteSure}</p>
        <Buttons
          onCancel={close}
          cancel={words.cancel}
          act={words.delete}
          onAct={() => {
            close();
            chat.attempt(call('DELETE', `/messages/${open.message.id}`));
          }}
        />
      </Dialog>
    );
  return (
    <Lazily fallback={<Opening />}>
      {open.kind === 'emoji' && (
        <EmojiPicker
          title={words.react}
          onClose={close}
          onPick={(emoji) => {
            close();
            actions.react(open.message, emoji);
          }}
        />
      )}
      {open.kind === 'edit' && <EditDialog message={open.message} onClose={close} />}
      {open.kind === 'move' && <Move message={open.message} isHere={isHere} close={close} />}
      {open.kind === 'readers' && <ReadersDialog message={open.message} onClose={close} />}
      {open.kind === 'remind' && <RemindDialog message={open.message} onClose={close} />}
    </Lazily>
  );
}
