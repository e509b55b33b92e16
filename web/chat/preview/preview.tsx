import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Rendered } from '../../shared/rendered.js';
import { Problem } from '../../shared/widgets.js';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import classes from '../composer.module.css';
import { useRendering } from './use-rendering.js';

/** What the text of the composer will look like, by the server, which knows every name and rule. */
export default function Preview(props: {
  readonly text: RefObject<HTMLTextAreaElement | null>;
  /** What the composer calls after each change. */
  readonly changes: RefObject<(() => void) | undefined>;
  readonly meId: number;
}): ReactNode {
  const { text, changes, meId } = props;
  const [content, setContent] = useState('');
  useEffect(() => {
    const read = (): void => setContent(text.current?.value.trim() ?? '');
    changes.current = read;
    read();
    return () => {
      changes.current = undefined;
    };
  }, [text, changes]);
  const shown = useRendering(content);
  return (
    <section className={classes['preview']} aria-label={words.preview} tabIndex={0}>
      {shown === undefined && <p className={classes['off']}>{words.previewEmpty}</p>}
      {shown !== undefined && 'answer' in shown && <Rendered html={shown.answer.rendered} meId={meId} />}
      {shown !== undefined && 'reason' in shown && <Problem reason={shown.reason} />}
    </section>
  );
}
