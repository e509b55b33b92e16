import { useEffect, useRef, useState } from 'react';
import { ApiFailure, call, reasonOf } from '../../shared/api.js';

/** Rest after which the server is asked. */
const ASK_AFTER_MS = 500;
/** Pause after an answer that did not come, or that the server was too busy for. */
const AGAIN_AFTER_MS = 3_000;

export type Rendering = { readonly html: string } | { readonly reason: string };

/**
 * What a text will look like, by the server, which knows every name and rule. The first text is asked for at once.
 * @param content Markdown; nothing is shown for an empty one
 * @param rules what else the answer depends on: another one asks again
 */
export function useRendering(content: string, rules?: unknown): Rendering | undefined {
  const [shown, setShown] = useState<Rendering>();
  const hasAsked = useRef(false);
  useEffect(() => {
    if (content === '') {
      setShown(undefined);
      return undefined;
    }
    const asking = new AbortController();
    const { signal } = asking;
    const ask = (): void => {
      hasAsked.current = true;
      call<{ readonly rendered: string }>('POST', '/messages/render', { content }, signal).then(
        ({ rendered }) => setShown({ html: rendered }),
        (error: unknown) => {
          if (signal.aborted) return;
          setShown({ reason: reasonOf(error) });
          const mayCome = error instanceof ApiFailure && (error.kind === 'busy' || error.kind === 'offline');
          if (mayCome) timer = setTimeout(ask, AGAIN_AFTER_MS);
        },
      );
    };
    let timer = setTimeout(ask, hasAsked.current ? ASK_AFTER_MS : 0);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [content, rules]);
  return shown;
}
