import type { ReactNode } from 'react';
import { words } from '../../shared/words.js';
import type { ChatState } from '../model/chat-state.js';
import { EmojiSign } from './emoji-sign.js';
import classes from './people.module.css';

/** The emoji of what somebody says of themselves; the text in its title. */
export function StatusSign(props: {
  readonly userId: number;
  readonly state: Pick<ChatState, 'statuses' | 'pictures'>;
}): ReactNode {
  const { statuses, pictures } = props.state;
  const status = statuses.get(props.userId);
  if (status?.emoji === undefined) return null;
  return (
    <span className={classes['status']} title={status.text}>
      <EmojiSign emoji={status.emoji} pictures={pictures} />
      {status.text !== '' && <span className="aloud">{words.statusOf(status.text)}</span>}
    </span>
  );
}
