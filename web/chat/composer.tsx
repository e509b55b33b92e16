import { type KeyboardEvent, type ReactNode, type Ref, useImperativeHandle } from 'react';
import { widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import classes from './composer.module.css';
import { useComposerText } from './composer-text.js';

export interface ComposerHandle {
  focus(): void;
  /** Puts text before the caret, on lines of its own. */
  insert(text: string): void;
  /** Puts the whole text, in place of what is there. */
  replace(text: string): void;
}

interface Props {
  readonly ref?: Ref<ComposerHandle>;
  readonly userId: number;
  /** Key of the conversation, by which drafts are kept. */
  readonly place: string;
  readonly label: string;
  /** Whether the topic is asked for. */
  readonly asksTopic: boolean;
  readonly isTopicNeeded: boolean;
  readonly lengthMax: number;
  /** Whether Enter sends; otherwise Ctrl+Enter does. */
  readonly enterSends: boolean;
  readonly onChangeEnter: () => void;
  readonly send: (content: string, topic: string) => void;
  readonly onTyping: () => void;
  /** ArrowUp in an empty composer. */
  readonly onEditLast: () => void;
  readonly onEscape: () => void;
}

/** Where a message is written. */
export function Composer(props: Props): ReactNode {
  const { ref, userId, place, label, asksTopic, isTopicNeeded, lengthMax, enterSends } = props;
  const { text, topic, isEmpty, status, changed, refuse, clear } = useComposerText(userId, place, lengthMax);

  useImperativeHandle(ref, () => ({
    focus: () => text.current?.focus(),
    insert(added) {
      const element = text.current;
      if (element === null) return;
      const before = element.value.slice(0, element.selectionStart);
      const start = before === '' || before.endsWith('\n') ? '' : '\n';
      element.setRangeText(`${start}${added}`, element.selectionStart, element.selectionEnd, 'end');
      element.focus();
      changed();
    },
    replace(content) {
      if (text.current === null) return;
      text.current.value = content;
      text.current.focus();
      changed();
    },
  }));

  const send = (): void => {
    const element = text.current;
    const content = element?.value.trim() ?? '';
    const chosen = topic.current?.value.trim() ?? '';
    if (element === null || content === '') return;
    if ([...content].length > lengthMax) return;
    if (asksTopic && isTopicNeeded && chosen === '') {
      refuse(words.topicMissing);
      topic.current?.focus();
      return;
    }
    clear();
    element.focus();
    props.send(content, chosen);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Enter, arrows and Escape belong to the input method while it composes.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') props.onEscape();
    else if (event.key === 'ArrowUp' && event.currentTarget.value === '') {
      event.preventDefault();
      props.onEditLast();
    } else if (event.key === 'Enter' && isSend(event, enterSends)) {
      event.preventDefault();
      send();
    }
  };

  return (
    <div className={classes['composer']}>
      <form
        className={classes['box']}
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        {asksTopic && (
          <input
            ref={topic}
            className={classes['topic']}
            placeholder={words.topic}
            aria-label={words.topic}
            maxLength={60}
            onInput={changed}
          />
        )}
        <textarea
          ref={text}
          rows={1}
          className={classes['text']}
          aria-label={label}
          placeholder={label}
          onInput={() => {
            changed();
            props.onTyping();
          }}
          onKeyDown={onKeyDown}
        />
        <div className={classes['tools']}>
          <span
            className={classes['status']}
            data-kind={status?.kind}
            role={status?.kind === 'error' ? 'alert' : undefined}
          >
            {status?.text}
          </span>
          <button
            type="button"
            className={classes['hint']}
            title={words.changeEnter}
            aria-label={`${enterSends ? words.enterSends : words.ctrlEnterSends}. ${words.changeEnter}`}
            onClick={props.onChangeEnter}
          >
            {enterSends ? words.enterSends : words.ctrlEnterSends}
          </button>
          <button type="submit" className={widgetClasses['primary']} disabled={isEmpty || status?.kind === 'error'}>
            {words.send}
          </button>
        </div>
      </form>
    </div>
  );
}

function isSend({ shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent, enterSends: boolean): boolean {
  if (ctrlKey || metaKey) return true;
  return enterSends && !shiftKey && !altKey;
}
