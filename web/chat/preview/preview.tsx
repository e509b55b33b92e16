import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { call, reasonOf } from '../../shared/api.js';
import { Rendered } from '../../shared/rendered.js';
import { Problem } from '../../shared/widgets.js';
import { words } from '../../shared/words.js';
import classes from '../composer.module.css';

/** Rest after which the server is asked. */
const ASK_AFTER_MS = 500;

type Shown = { readonly html: string } | { readonly reason: string };

/** What the text of the composer will look like, by the server, which knows every name and rule. */
export default function Preview(props: {
  readonly text: RefObject<HTMLTextAreaElement | null>;
  /** What the composer calls after each change. */
  readonly changes: RefObject<(() => void) | undefined>;
  readonly meId: number;
}): ReactNode {
  const { text, changes, meId } = props;
  const [shown, setShown] = useState<Shown>();
  useEffect(() => {
    let timer: number | undefined;
    let asking = new AbortController();
    const ask = (): void => {
      asking.abort();
      asking = new AbortController();
      const content = text.current?.value.trim() ?? '';
      if (content === '') {
        setShown(undefined);
        return;
      }
      const { signal } = asking;
      call<{ readonly rendered: string }>('POST', '/messages/render', { content }, signal).then(
        ({ rendered }) => setShown({ html: rendered }),
        (error: unknown) => {
          if (!signal.aborted) setShown({ reason: reasonOf(error) });
        },
      );
    };
    changes.current = () => {
      clearTimeout(timer);
      timer = window.setTimeout(ask, ASK_AFTER_MS);
    };
    ask();
    return () => {
      changes.current = undefined;
      clearTimeout(timer);
      asking.abort();
    };
  }, [text, changes]);
  return (
    <section className={classes['preview']} aria-label={words.preview} tabIndex={0}>
      {shown === undefined && <p className={classes['off']}>{words.previewEmpty}</p>}
      {shown !== undefined && 'html' in shown && <Rendered html={shown.html} meId={meId} />}
      {shown !== undefined && 'reason' in shown && <Problem reason={shown.reason} />}
    </section>
  );
}
