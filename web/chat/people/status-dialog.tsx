import { type ReactNode, useState } from 'react';
import { call, reasonOf } from '../../shared/api.js';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import { DialogForm } from '../../shared/dialog-form.js';
import { Icon } from '../../shared/icons.js';
import { useWhileThere } from '../../shared/while-there.js';
import { Dialog, widgetClasses } from '../../shared/widgets.js';
import EmojiPicker from '../emoji-picker.js';
import type { Emoji } from '../model/wire.js';
import { useChatState } from '../model/hooks.js';
import { EmojiSign } from './emoji-sign.js';
import classes from './people.module.css';

/** The server refuses longer ones. */
const TEXT_MAX = 60;

/** What is offered: a text, and the emoji before it. */
const OFFERED: readonly (readonly [text: keyof typeof words.statuses, name: string, code: string])[] = [
  ['busy', 'working_on_it', '1f6e0'],
  ['meeting', 'calendar', '1f4c5'],
  ['lunch', 'fork_and_knife', '1f374'],
  ['sick', 'hurt', '1f915'],
  ['holiday', 'palm_tree', '1f334'],
];

/** Asks what others are to see of the reader: an emoji and a text. */
export default function StatusDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { statuses, meId, pictures } = useChatState();
  const before = statuses.get(meId);
  const [text, setText] = useState(before?.text ?? '');
  const [emoji, setEmoji] = useState(before?.emoji);
  const [isPicking, setPicking] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const close = useWhileThere(onClose);
  const save = (nextText: string, next: Emoji | undefined): void => {
    setRefusal(undefined);
    // Without an emoji, its name alone is taken back.
    const sign = next ?? { emoji_name: '' };
    call('POST', '/users/me/status', { status_text: nextText.trim(), ...sign }).then(close, (error: unknown) =>
      setRefusal(reasonOf(error)),
    );
  };
  return (
    <Dialog title={words.statusTitle} onClose={onClose}>
      <DialogForm refusal={refusal} onSubmit={() => save(text, emoji)} onCancel={onClose} act={words.save}>
        <div className={classes['line']}>
          <button
            type="button"
            className={classes['pick']}
            aria-label={words.statusEmoji}
            title={words.statusEmoji}
            onClick={() => setPicking(true)}
          >
            {emoji === undefined ? <Icon name="smile" /> : <EmojiSign emoji={emoji} pictures={pictures} />}
          </button>
          <input
            className={widgetClasses['input']}
            aria-label={words.statusText}
            placeholder={words.statusText}
            value={text}
            maxLength={TEXT_MAX}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        </div>
        <ul>
          {OFFERED.map(([name, emoji_name, emoji_code]) => {
            const sign: Emoji = { emoji_name, emoji_code, reaction_type: 'unicode_emoji' };
            return (
              <li key={name}>
                <button
                  type="button"
                  className={widgetClasses['item']}
                  onClick={() => {
                    setText(words.statuses[name]);
                    setEmoji(sign);
                  }}
                >
                  <EmojiSign emoji={sign} pictures={pictures} />
                  {words.statuses[name]}
                </button>
              </li>
            );
          })}
          {before !== undefined && (
            <li>
              <button type="button" className={widgetClasses['item']} onClick={() => save('', undefined)}>
                <Icon name="close" />
                {words.statusClear}
              </button>
            </li>
          )}
        </ul>
      </DialogForm>
      {isPicking && (
        <EmojiPicker
          title={words.statusEmoji}
          onClose={() => setPicking(false)}
          onPick={(picked) => {
            setEmoji(picked);
            setPicking(false);
          }}
        />
      )}
    </Dialog>
  );
}
