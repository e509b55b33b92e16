import { memo, type ReactNode, type RefObject, useEffect, useState } from 'react';
import { dialogWords as words } from '../shared/en-dialogs.js';
import { Icon } from '../shared/icons.js';
import { onArrow, onArrowFocus } from './arrows.js';
import { type EmojiGroup, emojiKey, inTone } from './emoji.js';
import type { SkinTone } from './emoji-use.js';
import classes from './emoji-picker.module.css';
import type { ChatState } from './model/chat-state.js';
import type { Emoji } from './model/wire.js';
import { EmojiSign } from './people/emoji-sign.js';

interface Shared {
  readonly pictures: ChatState['pictures'];
  readonly tone: SkinTone;
  readonly onPick: (emoji: Emoji) => void;
  /** Says which one the pointer or the focus is on. */
  readonly onName: (name: string) => void;
}

const idOf = (group: string): string => `emoji-${group}`;
const groupName = (name: string): string =>
  Object.hasOwn(words.emojiGroups, name) ? words.emojiGroups[name as keyof typeof words.emojiGroups] : name;

/** Buttons in lines, with `onArrow` around them. */
export const EmojiButtons = memo(function EmojiButtons(
  props: Shared & {
    readonly emoji: readonly Emoji[];
    /** Whether Tab leads to its first button. */
    readonly isFirst: boolean;
  },
): ReactNode {
  const { emoji, isFirst, pictures, tone, onPick, onName } = props;
  return (
    <div className={classes['grid']}>
      {emoji.map((one, index) => {
        const code = inTone(one, tone);
        return (
          <button
            key={emojiKey(one)}
            type="button"
            tabIndex={isFirst && index === 0 ? 0 : -1}
            title={`:${one.emoji_name}:`}
            aria-label={one.emoji_name}
            onClick={() => onPick(one)}
            onFocus={() => onName(one.emoji_name)}
            onPointerEnter={() => onName(one.emoji_name)}
          >
            <EmojiSign emoji={code === undefined ? one : { ...one, emoji_code: code }} pictures={pictures} />
          </button>
        );
      })}
    </div>
  );
});

/** All groups below one another. */
export const EmojiGroups = memo(function EmojiGroups(
  props: Shared & { readonly groups: readonly EmojiGroup[] },
): ReactNode {
  const { groups, ...shared } = props;
  return groups.map(({ name, emoji }, index) => (
    <section key={name} aria-labelledby={idOf(name)} className={classes['group']}>
      <h3 id={idOf(name)}>{groupName(name)}</h3>
      <EmojiButtons emoji={emoji} isFirst={index === 0} {...shared} />
    </section>
  ));
});

/** Leads to the groups. */
export function GroupBar(props: {
  readonly groups: readonly EmojiGroup[];
  readonly pictures: ChatState['pictures'];
  readonly grid: RefObject<HTMLDivElement | null>;
}): ReactNode {
  const { groups, pictures, grid } = props;
  const [current, setCurrent] = useState(groups[0]?.name);
  useEffect(() => {
    const box = grid.current;
    if (box === null) return undefined;
    const onScroll = (): void => {
      const top = box.getBoundingClientRect().top + 1;
      const at = groups.findLast(({ name }) => (sectionOf(name)?.getBoundingClientRect().top ?? Infinity) <= top);
      setCurrent(at?.name ?? groups[0]?.name);
    };
    box.addEventListener('scroll', onScroll, { passive: true });
    return () => box.removeEventListener('scroll', onScroll);
  }, [groups, grid]);
  const go = (name: string): void => {
    const section = sectionOf(name);
    section?.scrollIntoView({ block: 'start' });
    section?.querySelector('button')?.focus({ preventScroll: true });
  };
  return (
    <div
      role="toolbar"
      aria-label={words.emojiGroupBar}
      className={classes['bar']}
      onKeyDown={onArrow}
      onFocus={onArrowFocus}
    >
      {groups.map(({ name, emoji: [first] }, index) => (
        <button
          key={name}
          type="button"
          tabIndex={index === 0 ? 0 : -1}
          title={groupName(name)}
          aria-label={groupName(name)}
          aria-current={name === current}
          onClick={() => go(name)}
        >
          {name === 'used' || first === undefined ? (
            <Icon name="clock" size={18} />
          ) : (
            <EmojiSign emoji={first} pictures={pictures} />
          )}
        </button>
      ))}
    </div>
  );
}

const sectionOf = (name: string): HTMLElement | null | undefined =>
  document.getElementById(idOf(name))?.closest('section');
