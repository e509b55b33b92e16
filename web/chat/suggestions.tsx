import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import classes from './composer.module.css';
import { loadEmoji } from './emoji.js';
import type { ChatState } from './model/chat-state.js';
import { useChatState } from './model/hooks.js';
import type { Place } from './model/place.js';
import type { Emoji } from './model/wire.js';
import { EmojiSign } from './people/emoji-sign.js';
import { putText } from './put-text.js';
import { type Suggestion, suggestionsFor, type Word, wordAt } from './typeahead.js';

const LIST_ID = 'suggestions';

interface Open {
  readonly word: Word;
  readonly found: readonly Suggestion[];
  readonly marked: number;
}

let emoji: readonly Emoji[] = [];

/** Completes words of a text. Enter and Tab take the row that is marked; a resting mouse marks nothing. */
export function useSuggestions(
  text: RefObject<HTMLTextAreaElement | null>,
  place: Place | undefined,
  changed: () => void,
) {
  const state = useChatState();
  const [open, setOpen] = useState<Open>();
  // Escape closes the list for that word.
  const [closedAt, setClosedAt] = useState<number>();
  // The text up to the blank that a completion has put, until something is typed.
  const completed = useRef<string>(undefined);

  const look = (): void => {
    const element = text.current;
    if (element === null) return;
    const word = wordAt(element.value, element.selectionStart);
    if (word?.sign === ':' && emoji.length === 0)
      loadEmoji().then(
        (all) => {
          emoji = all;
          look();
        },
        // Names can be typed without the list.
        () => undefined,
      );
    if (word?.start !== closedAt) setClosedAt(undefined);
    const found = word === undefined || word.start === closedAt ? [] : suggestionsFor(word, state, place, emoji);
    setOpen(word === undefined || found.length === 0 ? undefined : { word, found, marked: 0 });
  };
  const take = (suggestion: Suggestion | undefined): void => {
    const element = text.current;
    if (open === undefined || suggestion === undefined || element === null) return;
    // One blank follows, whether it stood there already or is typed next.
    const end = element.selectionStart + (element.value[element.selectionStart] === ' ' ? 1 : 0);
    putText(element, `${suggestion.inserted} `, open.word.start, end);
    completed.current = element.value.slice(0, element.selectionStart);
    setOpen(undefined);
    changed();
  };
  /** Takes out a blank that was typed behind that of a completion. By what was put in: keyboards of phones tell of no keys. */
  const dropBlank = (): void => {
    const [before, element] = [completed.current, text.current];
    completed.current = undefined;
    if (before === undefined || element === null || textBefore(element) !== `${before} `) return;
    putText(element, '', before.length, before.length + 1);
  };
  /** @returns whether the key was for the list */
  const onKey = ({ key, shiftKey }: KeyboardEvent): boolean => {
    if (open === undefined) return false;
    const { found, marked, word } = open;
    if (key === 'ArrowDown') setOpen({ ...open, marked: (marked + 1) % found.length });
    else if (key === 'ArrowUp') setOpen({ ...open, marked: (marked - 1 + found.length) % found.length });
    else if ((key === 'Enter' || key === 'Tab') && !shiftKey) take(found[marked]);
    else if (key === 'Escape') {
      setClosedAt(word.start);
      setOpen(undefined);
    } else return false;
    return true;
  };
  return {
    onInput: () => {
      dropBlank();
      changed();
      look();
    },
    onKey,
    close: () => setOpen(undefined),
    /** Attributes of the text. */
    attributes: {
      'aria-autocomplete': 'list',
      'aria-controls': open === undefined ? undefined : LIST_ID,
      'aria-activedescendant': open === undefined ? undefined : `${LIST_ID}-${open.marked}`,
    } as const,
    list: open === undefined ? null : <List open={open} take={take} pictures={state.pictures} />,
  };
}

/** What stands before the caret; undefined where something is selected. */
function textBefore(element: HTMLTextAreaElement): string | undefined {
  if (element.selectionStart !== element.selectionEnd) return undefined;
  return element.value.slice(0, element.selectionStart);
}

function List(props: {
  readonly open: Open;
  readonly take: (suggestion: Suggestion) => void;
  readonly pictures: ChatState['pictures'];
}): ReactNode {
  const { open, take, pictures } = props;
  return (
    <ul id={LIST_ID} role="listbox" aria-label={words.suggestions} className={classes['suggestions']}>
      {open.found.map((suggestion, index) => (
        <li
          key={suggestion.key}
          id={`${LIST_ID}-${index}`}
          role="option"
          aria-selected={index === open.marked}
          className={widgetClasses['item']}
          // The text keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => take(suggestion)}
        >
          {suggestion.emoji !== undefined && (
            <span aria-hidden="true">
              <EmojiSign emoji={suggestion.emoji} pictures={pictures} />
            </span>
          )}
          <span>{suggestion.text}</span>
          <span className={classes['about']}>{suggestion.about}</span>
        </li>
      ))}
    </ul>
  );
}
