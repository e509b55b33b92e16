import { type ReactNode, startTransition, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { reasonOf } from '../shared/api.js';
import { dialogWords as words } from '../shared/en-dialogs.js';
import { characterOf } from '../shared/rendered-html.js';
import { Dialog, Loading, Problem, widgetClasses } from '../shared/widgets.js';
import { onArrow, onArrowFocus } from './arrows.js';
import {
  type EmojiGroup,
  emojiKey,
  findEmoji,
  inTone,
  loadEmoji,
  loadGroups,
  offeredEmoji,
  ownEmoji,
} from './emoji.js';
import { EmojiButtons, EmojiGroups, GroupBar } from './emoji-groups.js';
import { countUse, emojiUse, keepTone, mostUsed, SKIN_TONES, type SkinTone } from './emoji-use.js';
import classes from './emoji-picker.module.css';
import type { Emoji } from './model/wire.js';
import { useChatState } from './model/hooks.js';

const FOUND_MAX = 64;
const MOST_USED_MAX = 18;

interface Loaded {
  readonly all: readonly Emoji[];
  readonly groups: readonly EmojiGroup[];
}

/** Picks an emoji by its group, or by its name: Enter takes the first. */
export default function EmojiPicker(props: {
  readonly title: string;
  /** @param toned the character in the skin tone that the reader prefers, of what has one */
  readonly onPick: (emoji: Emoji, toned: string | undefined) => void;
  /** Whether what is picked can have a skin tone: a text can, but the code of a reaction cannot. */
  readonly hasTones?: boolean;
  readonly onClose: () => void;
}): ReactNode {
  const { title, onPick, hasTones = false, onClose } = props;
  const { pictures, meId } = useChatState();
  const { loaded, error } = useEmoji();
  const [query, setQuery] = useState('');
  const [tone, setTone] = useState<SkinTone>(() => (hasTones ? emojiUse(meId).tone : 0));
  const [name, setName] = useState('');
  const grid = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => loaded && allGroups(loaded, pictures, meId), [loaded, pictures, meId]);
  const find = (text: string): readonly Emoji[] =>
    loaded === undefined ? [] : findEmoji(offeredEmoji(loaded.all, pictures), text, FOUND_MAX);
  // The groups have thousands of parts: a key is drawn before they come or go.
  const wanted = useDeferredValue(query);
  const pick = (emoji: Emoji | undefined): void => {
    if (emoji === undefined) return;
    countUse(meId, emojiKey(emoji));
    const code = inTone(emoji, tone);
    onPick(emoji, code === undefined ? undefined : characterOf(code));
  };
  const pickFirst = (text: string): void => pick(text === '' ? groups?.[0]?.emoji[0] : find(text)[0]);
  // Enter that comes before the names waits for them.
  const entered = useRef<string>(undefined);
  useEffect(() => {
    if (loaded !== undefined && entered.current !== undefined) pickFirst(entered.current);
  }, [loaded]);
  // Buttons are drawn once, and call what is newest.
  const newest = useRef(pick);
  useEffect(() => {
    newest.current = pick;
  });
  const shared = useMemo(
    () => ({ pictures, tone, onName: setName, onPick: (emoji: Emoji) => newest.current(emoji) }),
    [pictures, tone],
  );
  const found = wanted === '' ? [] : find(wanted);
  return (
    <Dialog title={title} onClose={onClose}>
      <input
        className={widgetClasses['input']}
        type="search"
        aria-label={words.findEmoji}
        placeholder={words.findEmoji}
        autoFocus
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === 'ArrowDown') grid.current?.querySelector('button')?.focus();
          else if (event.key !== 'Enter') return;
          else if (loaded === undefined) entered.current = query;
          else pickFirst(query);
          event.preventDefault();
        }}
      />
      <Problem reason={error} />
      {loaded === undefined && error === undefined && <Loading />}
      {groups !== undefined && wanted === '' && <GroupBar groups={groups} pictures={pictures} grid={grid} />}
      <div ref={grid} className={classes['grids']} onKeyDown={onArrow} onFocus={onArrowFocus}>
        {groups !== undefined && wanted === '' && <EmojiGroups groups={groups} {...shared} />}
        {found.length > 0 && <EmojiButtons emoji={found} isFirst {...shared} />}
        {loaded !== undefined && wanted !== '' && found.length === 0 && (
          <p className={widgetClasses['note']}>{words.noEmoji}</p>
        )}
      </div>
      <div className={classes['foot']}>
        <span aria-hidden="true">{name !== '' && `:${name}:`}</span>
        {hasTones && (
          <Tones
            tone={tone}
            choose={(chosen) => {
              keepTone(meId, chosen);
              setTone(chosen);
            }}
          />
        )}
      </div>
    </Dialog>
  );
}

function useEmoji(): { readonly loaded: Loaded | undefined; readonly error: string | undefined } {
  const [loaded, setLoaded] = useState<Loaded>();
  const [error, setError] = useState<string>();
  useEffect(() => {
    Promise.all([loadEmoji(), loadGroups()]).then(
      ([all, groups]) => startTransition(() => setLoaded({ all, groups })),
      (failure: unknown) => setError(reasonOf(failure)),
    );
  }, []);
  return { loaded, error };
}

/** What is used most, what the organization has, and Unicode's groups. */
function allGroups({ groups }: Loaded, pictures: Parameters<typeof ownEmoji>[0], meId: number): readonly EmojiGroup[] {
  const own = ownEmoji(pictures);
  const byKey = new Map([...own, ...groups.flatMap(({ emoji }) => emoji)].map((one) => [emojiKey(one), one]));
  return [
    { name: 'used', emoji: mostUsed(emojiUse(meId), byKey, MOST_USED_MAX) },
    ...(own.length > 0 ? [{ name: 'own', emoji: own }] : []),
    ...groups,
  ];
}

function Tones({ tone, choose }: { readonly tone: SkinTone; readonly choose: (tone: SkinTone) => void }): ReactNode {
  return (
    <fieldset className={classes['tones']}>
      <legend className="aloud">{words.skinTone}</legend>
      {SKIN_TONES.map((one) => (
        <label key={one} title={words.skinTones[one]}>
          <input
            type="radio"
            name="skin-tone"
            className="aloud"
            checked={one === tone}
            onChange={() => choose(one)}
            aria-label={words.skinTones[one]}
          />
          <span aria-hidden="true" data-tone={one} />
        </label>
      ))}
    </fieldset>
  );
}
