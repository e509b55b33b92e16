import { lazy, type ReactNode, type SyntheticEvent, useRef } from 'react';
import { flushSync } from 'react-dom';
import { Lazily, Opening } from '../shared/lazily.js';
import { ActButton, IconButton } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import classes from './composer.module.css';
import type { ComposerText } from './composer-text.js';

const EmojiPicker = lazy(() => import('./emoji-picker.js'));
const ScheduleDialog = lazy(() => import('./later/schedule-dialog.js'));
const SnippetsDialog = lazy(() => import('./snippets/snippets-dialog.js'));

export type Attach = (event: SyntheticEvent, chosen: FileList | null) => void;

/** What can be open over the composer. */
export type ComposerDialog = 'emoji' | 'snippets' | 'later';

/** The buttons of the composer. */
export function ComposerTools(props: {
  readonly status: ComposerText['status'];
  /** Whether nothing can be sent. */
  readonly isOff: boolean;
  readonly enterSends: boolean;
  readonly onChangeEnter: () => void;
  readonly attach: Attach;
  readonly open: (dialog: ComposerDialog) => void;
  readonly isPreview: boolean;
  readonly togglePreview: () => void;
}): ReactNode {
  const { status, isOff, enterSends, onChangeEnter, attach, open, isPreview, togglePreview } = props;
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
      <IconButton icon="smile" label={words.insertEmoji} onClick={() => open('emoji')} />
      <IconButton icon="snippet" label={words.snippets} onClick={() => open('snippets')} />
      <IconButton icon="eye" label={words.preview} pressed={isPreview} onClick={togglePreview} />
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
      <IconButton icon="clock" label={words.sendLater} disabled={isOff} onClick={() => open('later')} />
      <ActButton isOff={isOff}>{words.send}</ActButton>
    </div>
  );
}

/** What opens from the buttons. Not in the form of the composer: it has forms of its own. */
export function ComposerDialogs(props: {
  readonly open: ComposerDialog | undefined;
  readonly close: () => void;
  readonly content: () => string;
  /** Puts text at the caret. */
  readonly put: (text: string) => void;
  /** @param at seconds since the epoch */
  readonly schedule: (at: number) => Promise<void>;
}): ReactNode {
  const { open, close, content, put, schedule } = props;
  const insert = (text: string): void => {
    // A dialog that closes gives the focus to its button: the text takes it afterwards.
    flushSync(close);
    put(text);
  };
  return (
    <Lazily fallback={<Opening />}>
      {open === 'emoji' && (
        <EmojiPicker
          title={words.insertEmoji}
          onClose={close}
          hasTones
          onPick={({ emoji_name }, toned) => insert(`${toned ?? `:${emoji_name}:`} `)}
        />
      )}
      {open === 'snippets' && <SnippetsDialog typed={content()} onClose={close} onInsert={insert} />}
      {open === 'later' && <ScheduleDialog onClose={close} onChoose={schedule} />}
    </Lazily>
  );
}
