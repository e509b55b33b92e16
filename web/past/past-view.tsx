import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { narrowName } from '../chat/conversation-head.js';
import { MessageRow } from '../chat/message-row.js';
import { useChatState, useRowState } from '../chat/model/hooks.js';
import type { Term } from '../chat/model/narrow.js';
import { type Place, placeKey, placeOfTerms } from '../chat/model/place.js';
import { rowsOf } from '../chat/rows.js';
import { MessageList } from '../list/message-list.js';
import { reasonOf } from '../shared/api.js';
import { pastWords as words } from '../shared/en-past.js';
import { isoOf, wholeTimeOf } from '../shared/time.js';
import { Loading, widgetClasses } from '../shared/widgets.js';
import { goTo } from './moments.js';
import classes from './past.module.css';
import { askPast, type PastMessage, type PastPage } from './past-messages.js';
import Rail from './rail.js';

/** A conversation as it read at a time. Violet, and nothing in it can be changed. */
export default function PastView(props: { readonly terms: readonly Term[]; readonly asOf: number }): ReactNode {
  const { terms, asOf } = props;
  const state = useChatState();
  const place = placeOfTerms(terms, state.meId);
  const leave = (): void => {
    if (place !== undefined) goTo(place, state, undefined, true);
  };
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.defaultPrevented && document.querySelector('dialog[open]') === null) leave();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  });
  if (place === undefined) return <p className={widgetClasses['note']}>{words.noSuchPlace}</p>;
  return (
    <div className={classes['past']}>
      <header className={classes['bar']}>
        <h1>
          <time dateTime={isoOf(asOf)}>{words.asItWas(narrowName(state, terms), wholeTimeOf(asOf))}</time>
        </h1>
        <button type="button" className={widgetClasses['button']} onClick={leave}>
          {words.backToNow} <kbd>Esc</kbd>
        </button>
        <p>{words.asItWasHint}</p>
      </header>
      <PastFeed key={placeKey(place)} place={place} asOf={asOf} label={words.messagesThen(narrowName(state, terms))} />
      <Rail key={`rail ${placeKey(place)}`} place={place} asOf={asOf} />
      <p className={classes['composer']} role="note">
        {words.noWriting}
      </p>
    </div>
  );
}

/** The list stays from step to step, so that what is read stays where it is. */
function PastFeed(props: { readonly place: Place; readonly asOf: number; readonly label: string }): ReactNode {
  const { place, asOf, label } = props;
  const shown = useRowState();
  const { meId } = shown;
  const { page, failure, loadOlder, retry } = usePast(place, asOf, meId);
  const messages = page?.messages;
  const rows = useMemo(
    () => rowsOf(messages ?? [], [], { firstNewId: undefined, showsPlaces: false, meId, keys: new Map() }, new Map()),
    [messages, meId],
  );
  if (failure !== undefined)
    return (
      <div className={classes['feed']}>
        <p role="alert" className={widgetClasses['error']} style={{ margin: 16 }}>
          {words.pastFailed(failure)}{' '}
          <button type="button" className={widgetClasses['button']} onClick={retry}>
            {words.retry}
          </button>
        </p>
      </div>
    );
  if (page === undefined)
    return (
      <div className={classes['feed']}>
        <Loading text={words.loadingMessages} />
      </div>
    );
  const { found_oldest: isAll, is_cut: isCut } = page;
  return (
    <div className={classes['feed']}>
      <MessageList
        rows={rows}
        opening={{ at: 'end' }}
        label={label}
        isNewest
        render={(row) => {
          const message = row.message as PastMessage | undefined;
          return (
            <div className={message !== undefined && isChangedAt(message, asOf) ? classes['changed'] : undefined}>
              <MessageRow row={row} state={shown} actions={undefined} />
              {message?.is_reworded === true && <p className={classes['reworded']}>{words.reworded}</p>}
            </div>
          );
        }}
        head={
          rows.length > 0 && (
            <p className={classes['note']}>
              {!isAll ? words.loadingMessages : isCut ? words.pastCut : words.beginningThen}
            </p>
          )
        }
        tail={rows.length === 0 && isAll && <p className={classes['note']}>{words.emptyThen}</p>}
        onNearStart={loadOlder}
        onNearEnd={() => undefined}
      />
    </div>
  );
}

/** Whether the message came, or was changed, within the second that is shown. */
const isChangedAt = (message: PastMessage, asOf: number): boolean =>
  [message.timestamp, message.last_edit_timestamp, message.last_moved_timestamp].includes(asOf);

/** What is shown stays until the next moment is there. */
function usePast(place: Place, asOf: number, meId: number) {
  const [page, setPage] = useState<PastPage>();
  const [failure, setFailure] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const [older, setOlder] = useState<{ readonly asOf: number; readonly before: number }>();
  useEffect(() => {
    const stop = new AbortController();
    askPast(place, meId, asOf, undefined, stop.signal).then(
      (found) => {
        setPage(found);
        setFailure(undefined);
      },
      (error: unknown) => {
        if (!stop.signal.aborted) setFailure(reasonOf(error));
      },
    );
    return () => stop.abort();
  }, [placeKey(place), asOf, attempt]);
  useEffect(() => {
    if (older?.asOf !== asOf) return undefined;
    const stop = new AbortController();
    askPast(place, meId, asOf, older.before, stop.signal).then(
      (found) =>
        setPage((now) => (now === undefined ? now : { ...found, messages: [...found.messages, ...now.messages] })),
      // It is asked for again with the next movement.
      () => setOlder(undefined),
    );
    return () => stop.abort();
  }, [older?.asOf, older?.before]);
  const loadOlder = (): void => {
    if (page === undefined || page.found_oldest || page.as_of !== asOf) return;
    if (older?.asOf !== asOf || older.before !== page.before) setOlder({ asOf, before: page.before });
  };
  return { page, failure, loadOlder, retry: () => setAttempt(attempt + 1) };
}
