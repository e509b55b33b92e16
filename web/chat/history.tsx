import { type ReactNode, useEffect, useState } from 'react';
import { call, reasonOf } from '../shared/api.js';
import { pastWords as words } from '../shared/en-past.js';
import { Rendered } from '../shared/rendered.js';
import { dayNameOf, isoOf, timeOf, wholeTimeOf } from '../shared/time.js';
import { IconButton, Loading, Problem, widgetClasses } from '../shared/widgets.js';
import classes from './history.module.css';
import { useChatState } from './model/hooks.js';
import { reword } from './model/raw.js';
import type { Message } from './model/wire.js';
import { personName, topicName } from './places.js';

/** A version of a message, and how it came to be. */
interface Version {
  readonly timestamp: number;
  readonly user_id: number | null;
  readonly content: string;
  readonly rendered_content: string;
  /** The rendered content, with what was put in and taken out marked. Missing where the words stayed. */
  readonly content_html_diff?: string;
  readonly topic?: string;
  readonly prev_topic?: string;
}

/** What a message said before, one change after another, where the message is. */
export default function History({ message }: { readonly message: Message }): ReactNode {
  const state = useChatState();
  const [versions, setVersions] = useState<readonly Version[]>();
  const [at, setAt] = useState(0);
  const [error, setError] = useState<string>();
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    call<{ readonly message_history: readonly Version[] }>(
      'GET',
      `/messages/${message.id}/history`,
      { allow_empty_topic_name: true },
      stop.signal,
    ).then(
      ({ message_history: found }) => {
        const ordered = found.toSorted((a, b) => a.timestamp - b.timestamp);
        setVersions(ordered);
        setError(undefined);
        setAt(ordered.length - 1);
      },
      (failure: unknown) => {
        if (!stop.signal.aborted) setError(reasonOf(failure));
      },
    );
    return () => stop.abort();
    // Another edit while it is open shows up in it.
  }, [message.id, message.content, message.subject]);
  if (error !== undefined) return <Problem reason={error} />;
  const version = versions?.[at];
  if (versions === undefined || version === undefined) return <Loading />;
  const step = (by: number): void => setAt(Math.max(0, Math.min(versions.length - 1, at + by)));
  const isLast = at === versions.length - 1;
  const now = versions.at(-1)?.content ?? '';
  const restore = (): void => {
    setRefusal(undefined);
    reword(message, now, version.content).catch((failure: unknown) => setRefusal(reasonOf(failure)));
  };
  return (
    <section
      className={classes['history']}
      aria-label={words.history}
      onKeyDown={(event) => {
        if (event.key !== ',' && event.key !== '.') return;
        event.preventDefault();
        step(event.key === ',' ? -1 : 1);
      }}
    >
      <div className={classes['steps']}>
        <div className={classes['stepper']}>
          <IconButton icon="back" label={words.changeBack} disabled={at === 0} onClick={() => step(-1)} />
          <span role="status">
            {words.version(at + 1, versions.length)}
            {', '}
            <time dateTime={isoOf(version.timestamp)} title={wholeTimeOf(version.timestamp)}>
              {`${dayNameOf(version.timestamp)} ${timeOf(version.timestamp)}`}
            </time>
            {version.user_id !== null && ` ${words.by(personName(state, version.user_id))}`}
          </span>
          <IconButton icon="next" label={words.changeForth} disabled={isLast} onClick={() => step(1)} />
        </div>
        {versions.length > 2 && (
          <input
            type="range"
            aria-label={words.versions}
            min={1}
            max={versions.length}
            value={at + 1}
            aria-valuetext={words.version(at + 1, versions.length)}
            onChange={({ target }) => setAt(target.valueAsNumber - 1)}
          />
        )}
        {version.content !== now && message.sender_id === state.meId && (
          <button type="button" className={widgetClasses['button']} onClick={restore}>
            {words.restore}
          </button>
        )}
      </div>
      <Problem reason={refusal} />
      {version.prev_topic !== undefined && version.prev_topic !== version.topic && (
        <p className={classes['place']}>{words.movedFrom(topicName(version.prev_topic))}</p>
      )}
      <Rendered
        html={version.content_html_diff ?? version.rendered_content}
        meId={state.meId}
        pictures={state.pictures}
      />
    </section>
  );
}
