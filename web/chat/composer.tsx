import { type KeyboardEvent, type ReactNode, type Ref, type SyntheticEvent, useImperativeHandle, useRef } from 'react';
import { reasonOf } from '../shared/api.js';
import { IconButton, widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import classes from './composer.module.css';
import { type ComposerText, useComposerText } from './composer-text.js';
import type { Place } from './model/place.js';
import { useSuggestions } from './suggestions.js';
import type { DraftKeeper } from './draft-keeper.js';
import { upload } from './uploads.js';

export interface ComposerHandle {
  readonly focus: () => void;
  /** Puts text before the caret, on lines of its own. */
  readonly insert: (text: string) => void;
  /** Puts the whole text, in place of what is there. */
  readonly replace: (text: string) => void;
}

interface Props {
  readonly ref?: Ref<ComposerHandle>;
  /** The conversation, where there is one already. */
  readonly conversation: Place | undefined;
  /** Where its text is kept. */
  readonly keeper: DraftKeeper;
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
  const { ref, keeper, label, asksTopic, isTopicNeeded, lengthMax, enterSends } = props;
  const { text, topic, isEmpty, status, changed, note, refuse, clear } = useComposerText(keeper, lengthMax);
  const suggestions = useSuggestions(text, props.conversation, changed);

  const insert = (added: string): void => {
    const element = text.current;
    if (element === null) return;
    const before = element.value.slice(0, element.selectionStart);
    const start = before === '' || before.endsWith('\n') ? '' : '\n';
    element.setRangeText(`${start}${added}`, element.selectionStart, element.selectionEnd, 'end');
    element.focus();
    changed();
  };
  useImperativeHandle(ref, () => ({
    focus: () => text.current?.focus(),
    insert,
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

  const attach = attachment({ insert, note, refuse });

  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // Enter, arrows and Escape belong to the input method while it composes.
    if (event.nativeEvent.isComposing) return;
    if (suggestions.onKey(event)) event.preventDefault();
    else if (event.key === 'Escape') props.onEscape();
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
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => attach(event, event.dataTransfer.files)}
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
            suggestions.look();
            props.onTyping();
          }}
          onKeyDown={onKeyDown}
          onBlur={suggestions.close}
          onPaste={(event) => attach(event, event.clipboardData.files)}
          {...suggestions.attributes}
        />
        {suggestions.list}
        <Tools
          status={status}
          isOff={isEmpty || status?.kind === 'error'}
          enterSends={enterSends}
          onChangeEnter={props.onChangeEnter}
          attach={attach}
        />
      </form>
    </div>
  );
}

function isSend({ shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent, enterSends: boolean): boolean {
  if (ctrlKey || metaKey) return true;
  return enterSends && !shiftKey && !altKey;
}

type Attach = (event: SyntheticEvent, chosen: FileList | null) => void;

/** Uploads what was pasted, dropped or chosen, and puts links to it into the text. */
function attachment({
  insert,
  note,
  refuse,
}: Pick<ComposerText, 'note' | 'refuse'> & Pick<ComposerHandle, 'insert'>): Attach {
  return (event, chosen) => {
    if (chosen === null || chosen.length === 0) return;
    event.preventDefault();
    for (const file of chosen)
      upload(file, (percent) => note(words.uploading(file.name, percent))).then(
        (link) => {
          insert(link);
          note(undefined);
        },
        (error: unknown) => refuse(words.uploadFailed(file.name, reasonOf(error))),
      );
  };
}

function Tools(props: {
  readonly status: ComposerText['status'];
  readonly isOff: boolean;
  readonly enterSends: boolean;
  readonly onChangeEnter: () => void;
  readonly attach: Attach;
}): ReactNode {
  const { status, isOff, enterSends, onChangeEnter, attach } = props;
  const files = useRef<HTMLInputElement>(null);
  return (
    <div className={classes['tools']}>
      <IconButton icon="paperclip" label={words.attach} onClick={() => files.current?.click()} />
      <input
        ref={files}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          attach(event, event.currentTarget.files);
          event.currentTarget.value = '';
        }}
      />
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
        onClick={onChangeEnter}
      >
        {enterSends ? words.enterSends : words.ctrlEnterSends}
      </button>
      <button type="submit" className={widgetClasses['primary']} disabled={isOff}>
        {words.send}
      </button>
    </div>
  );
}
