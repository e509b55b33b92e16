import type { ReactNode } from 'react';
import { ViewHead } from '../chat/view-head.js';
import classes from './panes.module.css';

export { classes as paneClasses };

/** A view with several sections, each with an address of its own. */
export function Panes<Name extends string>(props: {
  readonly title: string;
  /** Address of the view, such as `#settings`. */
  readonly base: string;
  readonly sections: Readonly<Record<Name, string>>;
  readonly current: Name;
  readonly isWide?: boolean;
  readonly children: ReactNode;
}): ReactNode {
  const { title, base, sections, current, isWide = false, children } = props;
  return (
    <>
      <ViewHead title={title} />
      <nav className={classes['tabs']} aria-label={title}>
        {(Object.keys(sections) as Name[]).map((name) => (
          <a
            key={name}
            ref={name === current ? bringIntoView : undefined}
            href={`${base}/${name}`}
            aria-current={name === current ? 'page' : undefined}
          >
            {sections[name]}
          </a>
        ))}
      </nav>
      <div className={classes['body']}>
        <div key={current} className={`${classes['column']} ${isWide ? classes['wide'] : ''}`}>
          {children}
        </div>
      </div>
    </>
  );
}

/** On a phone the sections stand in one line, which is longer than the screen. */
function bringIntoView(link: HTMLElement | null): void {
  link?.scrollIntoView({ block: 'nearest', inline: 'center' });
}

/** A part of a section, under a heading. */
export function Part(props: {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}): ReactNode {
  const { title, hint, children } = props;
  return (
    <section aria-label={title}>
      <h2 className={classes['part']}>{title}</h2>
      {hint !== undefined && <p className={classes['hint']}>{hint}</p>}
      {children}
    </section>
  );
}
