import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { nodesOf } from './rendered-html.js';
import { holdStill, type Pictures, stillsOf } from './still.js';
import './rendered.css';

/** Content that the server has rendered. */
export function Rendered(props: {
  readonly html: string;
  readonly meId: number;
  readonly pictures?: Pictures;
}): ReactNode {
  const { html, meId, pictures } = props;
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const nodes = nodesOf(html);
    for (const mention of nodes.querySelectorAll(
      `[data-user-id="${meId}"]:not(.silent), [data-user-id="*"]:not(.silent)`,
    ))
      mention.classList.add('mention-me');
    if (pictures !== undefined) holdAll(nodes, stillsOf(pictures));
    element.current?.replaceChildren(nodes);
    reachWide(element.current);
  }, [html, meId, pictures]);
  return <div ref={element} className="rendered" />;
}

function holdAll(nodes: DocumentFragment, stills: ReadonlyMap<string, string>): void {
  if (stills.size === 0) return;
  for (const image of nodes.querySelectorAll<HTMLImageElement>('img.emoji')) {
    const still = stills.get(image.getAttribute('src') ?? '');
    if (still !== undefined) holdStill(image, still);
  }
}

/** What is wider than its row is reached, and scrolled, by keys as well. */
function reachWide(element: HTMLElement | null): void {
  for (const wide of element?.querySelectorAll<HTMLElement>('pre, table') ?? [])
    if (wide.scrollWidth > wide.clientWidth || wide.scrollHeight > wide.clientHeight) wide.tabIndex = 0;
}
