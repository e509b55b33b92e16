import { type ReactNode, useEffect, useState } from 'react';
import { reasonOf } from '../shared/api.js';
import { Dialog, Loading, Problem, widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import { emojiKey, findEmoji, loadEmoji, offeredEmoji } from './emoji.js';
import classes from './emoji-picker.module.css';
import type { Emoji } from './model/wire.js';
import { useChatState } from './model/hooks.js';
import { EmojiSign } from './people/emoji-sign.js';

const SHOWN_MAX = 64;

/** Picks an emoji by its name: Enter takes the first. */
export default function EmojiPicker(props: {
  readonly title: string;
  readonly onPick: (emoji: Emoji) => void;
  readonly onClose: () => void;
}): ReactNode {
  const { title, onPick, onClose } = props;
  const { pictures } = useChatState();
  const [all, setAll] = useState<readonly Emoji[]>();
  const [query, setQuery] = useState('');
  const [error, setError] = useState<string>();
  useEffect(() => {
    loadEmoji().then(setAll, (failure: unknown) => setError(reasonOf(failure)));
  }, []);
  const found = all === undefined ? [] : findEmoji(offeredEmoji(all, pictures), query, SHOWN_MAX);
  const pick = (emoji: Emoji | undefined): void => {
    if (emoji !== undefined) onPick(emoji);
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <input
        className={widgetClasses['input']}
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        autoFocus
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          pick(found[0]);
        }}
      />
      <Problem reason={error} />
      {all === undefined && error === undefined && <Loading />}
      <div className={classes['grid']}>
        {found.map((emoji) => (
          <button
            key={emojiKey(emoji)}
            type="button"
            title={`:${emoji.emoji_name}:`}
            aria-label={emoji.emoji_name}
            onClick={() => pick(emoji)}
          >
            <EmojiSign emoji={emoji} pictures={pictures} />
          </button>
        ))}
      </div>
    </Dialog>
  );
}
