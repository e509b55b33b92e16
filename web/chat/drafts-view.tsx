import { type ReactNode, useState, useSyncExternalStore } from 'react';
import type { Fields } from '#client';
import { call, reasonOf } from '../shared/api.js';
import { shortTimeOf, wholeTimeOf } from '../shared/time.js';
import { widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import classes from './conversation.module.css';
import { keepLooseDraft, looseDrafts } from './drafts.js';
import inbox from './inbox.module.css';
import { placeOfDestination } from './model/chat.js';
import { useChat, useChatState, useModel } from './model/hooks.js';
import { channelHash } from './model/narrow.js';
import { type Place, placeKey } from './model/place.js';
import { hashOf, placeName } from './places.js';

/** What was begun, and what is to be sent later. */
export default function DraftsView(): ReactNode {
  return (
    <>
      <header className={classes['head']}>
        <div className={classes['title']}>
          <h1>{words.drafts}</h1>
        </div>
      </header>
      <div className={inbox['list']}>
        <div className={inbox['inner']}>
          <Drafts />
          <Scheduled />
        </div>
      </div>
    </>
  );
}

interface Entry {
  readonly key: string;
  readonly name: string;
  readonly hash: string;
  readonly content: string;
  readonly atMs: number;
  readonly discard: () => void;
}

function Drafts(): ReactNode {
  const [chat, state] = [useChat(), useChatState()];
  const drafts = useSyncExternalStore(chat.subscribe, chat.drafts);
  const [, redraw] = useState(0);
  const ofConversations = [...drafts.values()].map(({ to, content, changedAtMs }): Entry => {
    const place = placeOfDestination(to, state.meId);
    return {
      key: placeKey(place),
      name: placeName(state, place),
      hash: hashOf(place, state),
      content,
      atMs: changedAtMs,
      discard: () => chat.keepDraft(place, ''),
    };
  });
  const loose = looseDrafts(state.meId).map(([id, draft]): Entry => {
    const name = state.channels.get(id)?.name ?? '';
    return {
      key: `loose ${id}`,
      name: `#${name === '' ? words.unknownChannel : name}`,
      hash: channelHash(id, name),
      content: draft.content,
      atMs: draft.atMs,
      discard: () => {
        keepLooseDraft(state.meId, id, { ...draft, content: '' });
        redraw((times) => times + 1);
      },
    };
  });
  const all = [...ofConversations, ...loose]
    .filter(({ content }) => content.trim() !== '')
    .sort((a, b) => b.atMs - a.atMs);
  return (
    <section aria-label={words.draftsTitle}>
      <h2 className={inbox['group']}>{words.draftsTitle}</h2>
      {all.length === 0 && <p className={widgetClasses['note']}>{words.draftsNone}</p>}
      <ul>
        {all.map((entry) => (
          <Row key={entry.key} entry={entry} />
        ))}
      </ul>
    </section>
  );
}

function Row({ entry, about }: { readonly entry: Entry; readonly about?: string }): ReactNode {
  const { name, hash, content, atMs, discard } = entry;
  return (
    <li className={inbox['row']}>
      <a href={hash}>{name}</a>
      <span className={classes['about']}>{content}</span>
      <span className={classes['about']}>{about ?? shortTimeOf(atMs / 1000)}</span>
      <button type="button" className={widgetClasses['button']} aria-label={words.discardOf(name)} onClick={discard}>
        {words.discard}
      </button>
    </li>
  );
}

interface ScheduledMessage extends Fields {
  readonly scheduled_message_id: number;
  readonly type: 'stream' | 'private';
  readonly to: number | readonly number[];
  readonly topic?: string;
  readonly content: string;
  readonly scheduled_delivery_timestamp: number;
  readonly failed: boolean;
}

function Scheduled(): ReactNode {
  const [state, model] = [useChatState(), useModel()];
  const [refusal, setRefusal] = useState<string>();
  const all = (model.fields['scheduled_messages'] ?? []) as readonly ScheduledMessage[];
  return (
    <section aria-label={words.scheduledTitle}>
      <h2 className={inbox['group']}>{words.scheduledTitle}</h2>
      {refusal !== undefined && (
        <p role="alert" className={widgetClasses['error']}>
          {refusal}
        </p>
      )}
      {all.length === 0 && <p className={widgetClasses['note']}>{words.scheduledNone}</p>}
      <ul>
        {all.map(({ scheduled_message_id: id, to, topic = '', content, scheduled_delivery_timestamp: at, failed }) => {
          const place: Place =
            typeof to === 'number'
              ? { kind: 'topic', channelId: to, topic }
              : placeOfDestination({ userIds: to }, state.meId);
          const discard = (): void => {
            setRefusal(undefined);
            call('DELETE', `/scheduled_messages/${id}`).catch((error: unknown) => setRefusal(reasonOf(error)));
          };
          const entry = {
            key: String(id),
            name: placeName(state, place),
            hash: hashOf(place, state),
            content,
            atMs: at * 1000,
            discard,
          };
          return (
            <Row key={id} entry={entry} about={failed ? words.scheduledFailed : words.scheduledFor(wholeTimeOf(at))} />
          );
        })}
      </ul>
    </section>
  );
}
