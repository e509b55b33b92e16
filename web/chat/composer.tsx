import {
  type Dispatch,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  type Ref,
  type SetStateAction,
  useImperativeHandle,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { Lazily } from '../shared/lazily.js';
import { reasonOf } from '../shared/api.js';
import { whenOf } from '../shared/time.js';
import { words } from '../shared/words.js';
import { say } from './announcer.js';
import classes from './composer.module.css';
import { type ComposerText, useComposerText } from './composer-text.js';
import { type Attach, type ComposerDialog, ComposerDialogs, ComposerTools } from './composer-tools.js';
import { isFocusFree } from './focus-main.js';
import { useChatState } from './model/hooks.js';
import type { Place } from './model/place.js';
import { useSuggestions } from './suggestions.js';
import type { DraftKeeper } from './draft-keeper.js';
import { type UploadTarget, useUploadTarget } from './upload-target.js';
import { upload } from './uploads.js';

const Preview = lazy(() => import('./preview/preview.js'));

export interface ComposerHandle {
  readonly focus: () => void;
  /** To write the first message of a topic: where the topic is asked for, it comes first. */
  readonly begin: () => void;
  /** Keeps what is typed as a draft, at once. */
  readonly keep: () => void;
  /** Puts text before the caret, on lines of its own. */
  readonly insert: (text: string) => void;
  /** Puts the whole text, in place of what is there. */
  readonly replace: (text: string) => void;
}

export interface ComposerProps {
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
  /** @param at seconds since the epoch; what is refused is said where the time was chosen */
  readonly schedule: (content: string, topic: string, at: number) => Promise<unknown>;
  readonly onTyping: () => void;
  /** ArrowUp in an empty composer. */
  readonly onEditLast: () => void;
  readonly onEscape: () => void;
}

/** Where a message is written. */
export function Composer(props: ComposerProps): ReactNode {
  const { ref, keeper, label, asksTopic, lengthMax, enterSends } = props;
  const state = useComposerText(keeper, lengthMax);
  const { text, topic, isEmpty, status, changed, put, insert } = state;
  const [isPreview, setPreview] = useState(false);
  const { meId } = useChatState();
  const [dialog, setDialog] = useState<ComposerDialog>();
  const suggestions = useSuggestions(text, props.conversation, changed);

  useImperativeHandle(ref, () => ({
    focus: () => text.current?.focus(),
    begin: () => (topic.current ?? text.current)?.focus(),
    insert,
    keep: state.keep,
    replace(content) {
      if (text.current === null) return;
      text.current.value = content;
      text.current.focus();
      changed();
    },
  }));

  const { ready, send, schedule } = useReady(props, clearing(state, suggestions.close), setDialog);
  const attach = attachment(useUploadTarget(keeper, state));

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
            suggestions.onInput();
            props.onTyping();
          }}
          onKeyDown={onKeyDown}
          onBlur={suggestions.close}
          onPaste={(event) => attach(event, event.clipboardData.files)}
          {...suggestions.attributes}
        />
        {suggestions.list}
        {isPreview && (
          <Lazily>
            <Preview text={text} changes={state.changes} meId={meId} />
          </Lazily>
        )}
        <ComposerTools
          isPreview={isPreview}
          togglePreview={() => setPreview(!isPreview)}
          status={status}
          isOff={isEmpty || status?.kind === 'error'}
          enterSends={enterSends}
          onChangeEnter={props.onChangeEnter}
          attach={attach}
          open={(next) => {
            if (next !== 'later' || ready() !== undefined) setDialog(next);
          }}
        />
      </form>
      <ComposerDialogs
        open={dialog}
        close={() => setDialog(undefined)}
        content={() => text.current?.value ?? ''}
        put={put}
        schedule={schedule}
      />
    </div>
  );
}

/** With the text goes the word that was being completed. */
function clearing(state: ComposerText, closeSuggestions: () => void): ComposerText {
  const clear = (): void => {
    state.clear();
    closeSuggestions();
  };
  return { ...state, clear };
}

/**
 * Sends what is typed, if it can be sent; if not, says why.
 * @param setDialog closes the dialog that asks when
 */
function useReady(
  { asksTopic, isTopicNeeded, lengthMax, ...props }: ComposerProps,
  { text, topic, clear, refuse }: ComposerText,
  setDialog: Dispatch<SetStateAction<ComposerDialog | undefined>>,
) {
  const ready = (): { readonly content: string; readonly chosen: string } | undefined => {
    const content = text.current?.value.trim() ?? '';
    const chosen = topic.current?.value.trim() ?? '';
    if (content === '' || [...content].length > lengthMax) return undefined;
    if (!asksTopic || !isTopicNeeded || chosen !== '') return { content, chosen };
    refuse(words.topicMissing);
    topic.current?.focus();
    return undefined;
  };
  const send = (): void => {
    const typed = ready();
    if (typed === undefined) return;
    clear();
    text.current?.focus();
    props.send(typed.content, typed.chosen);
  };
  const schedule = async (at: number): Promise<void> => {
    const typed = ready();
    if (typed === undefined) return;
    await props.schedule(typed.content, typed.chosen, at);
    const now = text.current?.value ?? props.keeper.get()?.content ?? '';
    // Who has closed the dialog meanwhile, and typed, keeps that, and the dialog that asks when to send it.
    if (now.trim() === typed.content)
      flushSync(() => {
        clear();
        // Another one may be open by then.
        setDialog((open) => (open === 'later' ? undefined : open));
      });
    // With nothing to send, the button of the dialog is off, and of no use to who has the focus on it.
    if (isFocusFree() || document.activeElement?.ariaDisabled === 'true') text.current?.focus();
    say(words.scheduled(whenOf(at)));
  };
  return { ready, send, schedule };
}

/** Whether Enter sends, or saves, what is typed. */
export function isSend({ shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent, enterSends: boolean): boolean {
  if (ctrlKey || metaKey) return true;
  return enterSends && !shiftKey && !altKey;
}

/**
 * Uploads what was pasted, dropped or chosen, and puts links to it into the text.
 * @param begun called with each upload, which tells at its end whether the link is in the text
 */
export function attachment({ insert, note, refuse }: UploadTarget, begun?: (upload: Promise<boolean>) => void): Attach {
  return (event, chosen) => {
    if (chosen === null || chosen.length === 0) return;
    event.preventDefault();
    for (const file of chosen) {
      const linked = upload(file, (percent) => note(words.uploading(file.name, percent))).then(
        (link) => {
          insert(link);
          note(undefined);
          return true;
        },
        (error: unknown) => {
          refuse(words.uploadFailed(file.name, reasonOf(error)));
          return false;
        },
      );
      begun?.(linked);
    }
  };
}
