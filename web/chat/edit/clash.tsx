import { type ReactNode, useMemo } from 'react';
import { dialogWords as words } from '../../shared/en-dialogs.js';
import { widgetClasses } from '../../shared/widgets.js';
import classes from './edit.module.css';
import { wordDiff } from './word-diff.js';

/** How what is typed differs from what a message says now. */
export function Clash(props: {
  readonly now: string;
  readonly typed: string;
  readonly takeTheirs: () => void;
}): ReactNode {
  const { now, typed, takeTheirs } = props;
  const parts = useMemo(() => wordDiff(now, typed), [now, typed]);
  return (
    <section className={classes['clash']} aria-label={words.clashTitle}>
      <h3>{words.clashTitle}</h3>
      <p className={classes['diff']}>
        {parts.map(({ kind, text }, index) =>
          kind === 'same' ? (
            <span key={index}>{text}</span>
          ) : kind === 'insert' ? (
            <ins key={index}>{text}</ins>
          ) : (
            <del key={index}>{text}</del>
          ),
        )}
      </p>
      <p>{words.clashHint}</p>
      <button type="button" className={widgetClasses['button']} onClick={takeTheirs}>
        {words.takeTheirs}
      </button>
    </section>
  );
}
