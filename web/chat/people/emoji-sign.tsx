import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { characterOf } from '../../shared/rendered-html.js';
import { holdStill } from '../../shared/still.js';
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
  if (type === 'unicode_emoji') return <span className={classes['character']}>{characterOf(code)}</span>;
  const picture = pictures.get(type === 'realm_emoji' ? code : name);
  if (picture === undefined) return <span>:{name}:</span>;
  const { source_url: url, still_url: still } = picture;
  if (still !== null) return <Moving key={url} url={url} still={still} alt={`:${name}:`} />;
  return <img className={classes['picture']} src={url} alt={`:${name}:`} />;
}

function Moving(props: { readonly url: string; readonly still: string; readonly alt: string }): ReactNode {
  const { url, still, alt } = props;
  const holder = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const image = new Image();
    Object.assign(image, { className: classes['picture'], alt, src: url });
    holder.current?.replaceChildren(image);
    holdStill(image, still);
  }, [url, still, alt]);
  return <span ref={holder} />;
}
