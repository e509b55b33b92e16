import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { call, reasonOf } from '../../shared/api.js';
import { widgetWords as words } from '../../shared/en-widgets.js';
import { InTurn } from '../../shared/in-turn.js';
import { Rendered } from '../../shared/rendered.js';
import { IconButton, Problem, widgetClasses } from '../../shared/widgets.js';
import type { ChatState } from '../model/chat-state.js';
import { useChat } from '../model/hooks.js';
import { placeOfMessage } from '../model/place.js';
import type { Message } from '../model/wire.js';
import { personName } from '../places.js';
import { widgetOf, type Widget as Folded } from './fold.js';
import classes from './widget.module.css';

interface Props<Kind extends Folded['kind']> {
  readonly widget: Extract<Folded, { readonly kind: Kind }>;
  readonly state: Pick<ChatState, 'people' | 'meId'>;
  readonly isAuthor: boolean;
  /** 0 while the row has the focus: its controls take part in the order of the page then. */
  readonly tabIndex: number;
  readonly tell: (change: object) => void;
}

/** A poll, a to-do list, or choices, in place of the text of their message. */
export default function Widget(props: {
  readonly message: Message;
  readonly state: Pick<ChatState, 'people' | 'meId'>;
  readonly isPast: boolean;
}): ReactNode {
  const { message, state, isPast } = props;
  const { submessages = [] } = message;
  const chat = useChat();
  const [refusal, setRefusal] = useState<string>();
  const element = useRef<HTMLDivElement>(null);
  const [turns] = useState(() => new InTurn());
  const tabIndex = useRowFocus(element) ? 0 : -1;
  const widget = useMemo(() => widgetOf(submessages, state.meId), [submessages, state.meId]);
  if (widget === undefined) return <Rendered html={message.content} meId={state.meId} />;
  if (isPast) return <AsSent widget={widget} />;
  const tell = (change: object): void => {
    setRefusal(undefined);
    const params = { message_id: message.id, msg_type: 'widget', content: JSON.stringify(change) };
    turns.run(() => call('POST', '/submessage', params)).catch((error: unknown) => setRefusal(reasonOf(error)));
  };
  const shared = { state, tabIndex, tell, isAuthor: message.sender_id === state.meId };
  return (
    <div ref={element} className={classes['widget']}>
      {widget.kind === 'poll' && <Poll widget={widget} {...shared} />}
      {widget.kind === 'todo' && <Todo widget={widget} {...shared} />}
      {widget.kind === 'choices' && (
        <>
          <p className={classes['title']}>{widget.heading}</p>
          {widget.choices.map(({ name, text, reply }) => (
            <button
              key={name}
              type="button"
              tabIndex={tabIndex}
              className={widgetClasses['button']}
              onClick={() => chat.send(placeOfMessage(message, state.meId), reply)}
            >
              {name} {text}
            </button>
          ))}
        </>
      )}
      <Problem reason={refusal} />
    </div>
  );
}

/** As it was sent: answers carry no times, so that none are told of the past. */
function AsSent({ widget }: { readonly widget: Folded }): ReactNode {
  const { title, entries } = shownOf(widget);
  return (
    <div className={classes['widget']}>
      <p className={classes['title']}>{title}</p>
      <ul className={classes['sent']}>
        {entries.map(({ text, about }) => (
          <li key={text}>
            {text} {about !== '' && <span className={classes['names']}>{about}</span>}
          </li>
        ))}
      </ul>
      <p className={classes['names']}>{words.asSent[widget.kind]}</p>
    </div>
  );
}

interface Shown {
  readonly title: string;
  readonly entries: readonly { readonly text: string; readonly about: string }[];
}

function shownOf(widget: Folded): Shown {
  if (widget.kind === 'todo') return { title: widget.title === '' ? words.todo : widget.title, entries: widget.tasks };
  if (widget.kind === 'poll') {
    const entries = widget.options.map(({ text }) => ({ text, about: '' }));
    return { title: widget.question === '' ? words.poll : widget.question, entries };
  }
  return { title: widget.heading, entries: widget.choices.map(({ name, text }) => ({ text: name, about: text })) };
}

function Poll({ widget, state, isAuthor, tabIndex, tell }: Props<'poll'>): ReactNode {
  const { question, options, nextIndex } = widget;
  const nextNumber = useNumbers(nextIndex);
  return (
    <>
      <Title
        text={question === '' ? words.poll : question}
        label={words.changeQuestion}
        isAuthor={isAuthor}
        tabIndex={tabIndex}
        change={(text) => tell({ type: 'question', question: text })}
      />
      <ul>
        {options.map(({ key, text, votes }) => {
          const isMine = votes.has(state.meId);
          const names = [...votes].map((id) => (id === state.meId ? words.you : personName(state, id)));
          return (
            <li key={key} className={classes['entry']}>
              <button
                type="button"
                tabIndex={tabIndex}
                className={classes['vote']}
                aria-pressed={isMine}
                aria-label={words.voteFor(text, votes.size)}
                onClick={() => tell({ type: 'vote', key, vote: isMine ? -1 : 1 })}
              >
                {words.number(votes.size)}
              </button>
              <span>{text}</span>
              {names.length > 0 && <span className={classes['names']}>{words.names(names)}</span>}
            </li>
          );
        })}
      </ul>
      <Add
        label={words.newOption}
        tabIndex={tabIndex}
        add={(option) => tell({ type: 'new_option', idx: nextNumber(), option })}
      />
    </>
  );
}

function Todo({ widget, isAuthor, tabIndex, tell }: Props<'todo'>): ReactNode {
  const { title, tasks, nextIndex } = widget;
  const nextNumber = useNumbers(nextIndex);
  return (
    <>
      <Title
        text={title === '' ? words.todo : title}
        label={words.changeTitle}
        isAuthor={isAuthor}
        tabIndex={tabIndex}
        change={(text) => tell({ type: 'new_task_list_title', title: text })}
      />
      <ul>
        {tasks.map(({ key, text, about, isDone }) => (
          <li key={key} className={classes['entry']}>
            <label className={classes['task']} data-done={isDone}>
              <input
                type="checkbox"
                tabIndex={tabIndex}
                checked={isDone}
                onChange={() => tell({ type: 'strike', key })}
              />
              <span>{text}</span>
            </label>
            {about !== '' && <span className={classes['names']}>{about}</span>}
          </li>
        ))}
      </ul>
      <Add
        label={words.newTask}
        tabIndex={tabIndex}
        add={(task) => tell({ type: 'new_task', key: nextNumber(), task, desc: '', completed: false })}
      />
    </>
  );
}

/**
 * Numbers what the reader adds, each by another one: of what has the number of something that is there, nothing is seen.
 * @param next by what the server has told, which may be behind
 */
function useNumbers(next: number): () => number {
  const last = useRef(0);
  return () => (last.current = Math.max(next, last.current + 1));
}

/** What it is about; its author can change it. */
function Title(props: {
  readonly text: string;
  readonly label: string;
  readonly isAuthor: boolean;
  readonly tabIndex: number;
  readonly change: (text: string) => void;
}): ReactNode {
  const { text, label, isAuthor, tabIndex, change } = props;
  const [isOpen, setOpen] = useState(false);
  if (isOpen)
    return (
      <Add
        label={label}
        first={text}
        tabIndex={tabIndex}
        add={(next) => {
          setOpen(false);
          change(next);
        }}
      />
    );
  return (
    <p className={classes['title']}>
      {text}
      {isAuthor && (
        <IconButton icon="pencil" size={14} label={label} tabIndex={tabIndex} onClick={() => setOpen(true)} />
      )}
    </p>
  );
}

function Add(props: {
  readonly label: string;
  readonly first?: string;
  readonly tabIndex: number;
  readonly add: (text: string) => void;
}): ReactNode {
  const { label, first = '', tabIndex, add } = props;
  const [text, setText] = useState(first);
  return (
    <form
      className={classes['add']}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === '') return;
        add(text.trim());
        setText('');
      }}
    >
      <input
        className={widgetClasses['input']}
        aria-label={label}
        placeholder={label}
        tabIndex={tabIndex}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" tabIndex={tabIndex} className={widgetClasses['button']}>
        {first === '' ? words.add : words.save}
      </button>
    </form>
  );
}

/** Whether the row around an element has the focus, or something in it. */
function useRowFocus(element: RefObject<HTMLElement | null>): boolean {
  const [hasFocus, setFocus] = useState(false);
  useEffect(() => {
    const row = element.current?.closest<HTMLElement>('[role=article]');
    if (row === null || row === undefined) return undefined;
    const look = (): void => setFocus(row.contains(document.activeElement));
    const leave = ({ relatedTarget }: FocusEvent): void => {
      if (!(relatedTarget instanceof Node && row.contains(relatedTarget))) setFocus(false);
    };
    look();
    row.addEventListener('focusin', look);
    row.addEventListener('focusout', leave);
    return () => {
      row.removeEventListener('focusin', look);
      row.removeEventListener('focusout', leave);
    };
  }, [element]);
  return hasFocus;
}
