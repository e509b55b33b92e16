import { type ReactNode, useState, useSyncExternalStore } from 'react';
import { dialogWords as words } from '../shared/en-dialogs.js';
import { shortTimeOf } from '../shared/time.js';
import { widgetClasses } from '../shared/widgets.js';
import { keepLooseDraft, looseDrafts } from './drafts.js';
import inbox from './inbox.module.css';
import later from './later/later.module.css';
import { Reminders, Scheduled } from './later/scheduled.js';
import { placeOfDestination } from './model/chat.js';
import { useChat, useChatState } from './model/hooks.js';
import { channelHash } from './model/narrow.js';
import { placeKey } from './model/place.js';
import { hashOf, markedName, placeName } from './places.js';
import { ViewHead } from './view-head.js';

/** What was begun, and what is to be sent later. */
export default function DraftsView(): ReactNode {
  return (
    <>
      <ViewHead title={words.drafts} />
      <div className={inbox['list']}>
        <div className={inbox['inner']}>
          <Drafts />
          <Scheduled />
          <Reminders />
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
      name: markedName(state, id),
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

function Row({ entry }: { readonly entry: Entry }): ReactNode {
  const { name, hash, content, atMs, discard } = entry;
  return (
    <li className={`${inbox['row']} ${later['row']}`}>
      <div className={inbox['what']}>
        <a href={hash}>{name}</a>
        <span className={inbox['line']}>{content}</span>
      </div>
      <time className={inbox['at']}>{shortTimeOf(atMs / 1000)}</time>
      <button type="button" className={widgetClasses['button']} aria-label={words.discardOf(name)} onClick={discard}>
        {words.discard}
      </button>
    </li>
  );
}
