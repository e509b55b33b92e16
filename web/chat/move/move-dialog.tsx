import { type ReactNode, useState } from 'react';
import { call, reasonOf } from '../../shared/api.js';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import { DialogForm } from '../../shared/dialog-form.js';
import { useWhileThere } from '../../shared/while-there.js';
import { Dialog, widgetClasses } from '../../shared/widgets.js';
import { backIf, say } from '../announcer.js';
import { useChat, useChatState } from '../model/hooks.js';
import { movingOf } from '../model/moving.js';
import { placeKey, type TopicPlace } from '../model/place.js';
import { useTopics } from '../model/topics.js';
import { topicName } from '../places.js';
import classes from './move.module.css';

type Mode = 'change_one' | 'change_later' | 'change_all';

/** Moves messages of a topic to another one, in this channel or in another. What is refused is said here. */
export default function MoveDialog(props: {
  readonly from: TopicPlace;
  /** The message from which it was opened; without it the whole topic is moved. */
  readonly messageId?: number;
  /** Called when a part of the topic went on elsewhere. Readers of a whole topic are led by its event. @param messageId its first */
  readonly onMoved?: (to: TopicPlace, messageId: number) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { from, messageId, onMoved, onClose } = props;
  const [chat, state] = [useChat(), useChatState()];
  const [channelId, setChannelId] = useState(from.channelId);
  const [topic, setTopic] = useState(from.topic);
  const [mode, setMode] = useState<Mode>(messageId === undefined ? 'change_all' : 'change_one');
  const [tellsOld, setTellsOld] = useState(false);
  const [tellsNew, setTellsNew] = useState(true);
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const topics = useTopics(channelId);
  const close = useWhileThere(onClose);
  const to: TopicPlace = { kind: 'topic', channelId, topic };
  const joins =
    mode !== 'change_one' &&
    placeKey(to) !== placeKey(from) &&
    topics.some((name) => name.toLowerCase() === topic.toLowerCase());
  const move = async (): Promise<void> => {
    const at = location.hash;
    // A message alone is taken back alone, from among others as well: nothing is looked for.
    const isAlone = mode === 'change_one';
    const moving = isAlone ? undefined : await movingOf(chat, from, to, mode === 'change_all' ? 0 : messageId);
    const id = messageId ?? moving?.newestId;
    if (id === undefined) throw new Error(words.nothingToMove);
    const ways = { mode, tellsOld, tellsNew };
    await send(id, from, to, ways);
    close();
    // Who has gone elsewhere since is not led back.
    if (mode === 'change_later' && location.hash === at) onMoved?.(to, id);
    const back = (): Promise<void> => moveBack(id, from, to, ways);
    const areAlone = moving?.areAlone;
    const undo = isAlone ? back : areAlone && (() => backIf(areAlone, back));
    if (moving?.isJoined === true) say(words.joinedWith(topicName(topic)), undefined, to);
    else say(words.movedTo(topicName(topic)), undo && (() => chat.attempt(undo())), to);
  };
  return (
    <Dialog title={messageId === undefined ? words.moveTopicTitle : words.moveTitle} onClose={onClose}>
      <DialogForm
        refusal={refusal}
        onSubmit={() => {
          setBusy(true);
          setRefusal(undefined);
          move().catch((error: unknown) => {
            setRefusal(reasonOf(error));
            setBusy(false);
          });
        }}
        onCancel={onClose}
        act={words.move}
        isOff={isBusy || (channelId === from.channelId && topic === from.topic)}
      >
        <label className={widgetClasses['field']}>
          {words.channel}
          <select
            className={widgetClasses['input']}
            value={channelId}
            onChange={(event) => setChannelId(Number(event.currentTarget.value))}
          >
            {state.allChannels.map(({ stream_id: id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <label className={widgetClasses['field']}>
          {words.topic}
          <input
            className={widgetClasses['input']}
            // Most moves are within the channel.
            autoFocus
            onFocus={(event) => event.currentTarget.select()}
            list="topics-to-move-to"
            value={topic}
            maxLength={60}
            autoComplete="off"
            placeholder={words.noTopic}
            onChange={(event) => setTopic(event.currentTarget.value)}
          />
        </label>
        <datalist id="topics-to-move-to">
          {topics.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {messageId !== undefined && <Modes mode={mode} setMode={setMode} />}
        {joins && <p role="status">{words.joins}</p>}
        <Check label={words.tellOld} isOn={tellsOld} set={setTellsOld} />
        <Check label={words.tellNew} isOn={tellsNew} set={setTellsNew} />
      </DialogForm>
    </Dialog>
  );
}

interface Ways {
  readonly mode: Mode;
  readonly tellsOld: boolean;
  readonly tellsNew: boolean;
}

function send(id: number, from: TopicPlace, to: TopicPlace, { mode, tellsOld, tellsNew }: Ways): Promise<unknown> {
  return call('PATCH', `/messages/${id}`, {
    ...(to.channelId !== from.channelId && { stream_id: to.channelId }),
    ...((to.topic !== from.topic || to.channelId === from.channelId) && { topic: to.topic }),
    propagate_mode: mode,
    send_notification_to_old_thread: tellsOld,
    send_notification_to_new_thread: tellsNew,
  });
}

/**
 * An ordinary move back, of a message alone or of a topic that had none before. It leaves notices where the move has left some; those
 * of a whole topic go back with it.
 */
async function moveBack(id: number, from: TopicPlace, to: TopicPlace, ways: Ways): Promise<void> {
  const { mode, tellsOld, tellsNew } = ways;
  const back: Ways =
    mode === 'change_one'
      ? { mode, tellsOld: tellsNew, tellsNew: tellsOld }
      : { mode: 'change_all', tellsOld: false, tellsNew: tellsOld || tellsNew };
  await send(id, to, from, back);
  say(words.movedBack(topicName(from.topic)), undefined, from);
}

function Modes({ mode, setMode }: { readonly mode: Mode; readonly setMode: (mode: Mode) => void }): ReactNode {
  return (
    <fieldset className={classes['modes']}>
      <legend>{words.moveWhat}</legend>
      {(Object.keys(words.moveModes) as Mode[]).map((one) => (
        <label key={one}>
          <input type="radio" name="mode" checked={mode === one} onChange={() => setMode(one)} />
          {words.moveModes[one]}
        </label>
      ))}
    </fieldset>
  );
}

function Check(props: {
  readonly label: string;
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
}): ReactNode {
  return (
    <label className={classes['check']}>
      <input type="checkbox" checked={props.isOn} onChange={(event) => props.set(event.currentTarget.checked)} />
      {props.label}
    </label>
  );
}
