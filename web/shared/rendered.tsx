import { type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from 'react';
import type { Playground } from '../chat/model/chat-state.js';
import { nodesOf } from './rendered-html.js';
import { holdStill, type Pictures, stillsOf } from './still.js';
import { clock, onClock } from './time.js';
import './rendered.css';

/** Content that the server has rendered. */
export function Rendered(props: {
  readonly html: string;
  readonly meId: number;
  readonly pictures?: Pictures;
  /** Websites that open its code. */
  readonly playgrounds?: readonly Playground[];
}): ReactNode {
  const { html, meId, pictures, playgrounds = [] } = props;
  const element = useRef<HTMLDivElement>(null);
  const clockNow = useSyncExternalStore(onClock, clock);
  const linked = playgrounds.length > 0 && html.includes('data-code-language') ? playgrounds : undefined;
  useLayoutEffect(() => {
    const nodes = nodesOf(html);
    for (const mention of nodes.querySelectorAll(
      `[data-user-id="${meId}"]:not(.silent), [data-user-id="*"]:not(.silent)`,
    ))
      mention.classList.add('mention-me');
    if (pictures !== undefined) holdAll(nodes, stillsOf(pictures));
    element.current?.replaceChildren(nodes);
    reachWide(element.current);
    if (linked !== undefined && element.current !== null) linkAll(element.current, linked);
  }, [html, meId, pictures, linked, clockNow]);
  return <div ref={element} className="rendered" />;
}

/** A line in which a search has found something. */
export function Found({ html }: { readonly html: string }): ReactNode {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => element.current?.replaceChildren(nodesOf(html)), [html]);
  return <span ref={element} className="found" />;
}

/** Unless it shows something else meanwhile. Without the file for it, code has no links. */
function linkAll(element: HTMLElement, playgrounds: readonly Playground[]): void {
  const first = element.firstChild;
  import('./code-playgrounds.js').then(
    ({ linkCode }) => {
      if (element.firstChild === first) linkCode(element, playgrounds);
    },
    () => undefined,
  );
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
