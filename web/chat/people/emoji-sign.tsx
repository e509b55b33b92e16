import type { ReactNode } from 'react';
import { characterOf } from '../../shared/rendered-html.js';
import type { ChatState } from '../model/chat-state.js';
import type { Emoji } from '../model/wire.js';
import classes from './people.module.css';

/** An emoji: its character, its picture, or its name where this page has neither. */
export function EmojiSign({
  emoji,
  pictures,
}: {
  readonly emoji: Emoji;
  readonly pictures: ChatState['pictures'];
}): ReactNode {
  const { emoji_name: name, emoji_code: code, reaction_type: type } = emoji;
  if (type === 'unicode_emoji') return <span>{characterOf(code)}</span>;
  const url = pictures.get(type === 'realm_emoji' ? code : name)?.source_url;
  if (url === undefined) return <span>:{name}:</span>;
  return <img className={classes['picture']} src={url} alt={`:${name}:`} />;
}
