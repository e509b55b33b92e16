import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { nodesOf } from './rendered-html.js';
import './rendered.css';

/** Content that the server has rendered. */
export function Rendered({ html, meId }: { readonly html: string; readonly meId: number }): ReactNode {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const nodes = nodesOf(html);
    for (const mention of nodes.querySelectorAll(
      `[data-user-id="${meId}"]:not(.silent), [data-user-id="*"]:not(.silent)`,
    ))
      mention.classList.add('mention-me');
    element.current?.replaceChildren(nodes);
  }, [html, meId]);
  return <div ref={element} className="rendered" />;
}
