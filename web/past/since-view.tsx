import { type ReactNode, useEffect, useState } from 'react';
import conversation from '../chat/conversation.module.css';
import inbox from '../chat/inbox.module.css';
import { useLeftAt } from '../chat/left.js';
import type { ChatState } from '../chat/model/chat-state.js';
import { useChatState, useRoute } from '../chat/model/hooks.js';
import { directWith, type Place, placeKey } from '../chat/model/place.js';
import type { Emoji } from '../chat/model/wire.js';
import { EmojiSign } from '../chat/people/emoji-sign.js';
import { hashOf, personName, placeName } from '../chat/places.js';
import { ViewHead } from '../chat/view-head.js';
import { ApiFailure, call, reasonOf } from '../shared/api.js';
import { pastWords as words } from '../shared/en-past.js';
import { dayNameOf, isoOf, timeOf, wholeTimeOf } from '../shared/time.js';
import { Loading, widgetClasses } from '../shared/widgets.js';
import classes from './since.module.css';

interface WirePlace {
  readonly stream_id?: number;
  readonly topic?: string;
  readonly user_ids?: readonly number[];
}

interface Told extends WirePlace {
  readonly sent: number;
  readonly first_id: number;
  readonly sender_ids: readonly number[];
  readonly edited_ids: readonly number[];
  readonly moved_in: number;
  readonly moved_out: number;
  readonly deleted: number;
  readonly resolved_by?: number;
  readonly unresolved_by?: number;
}

interface Digest {
  readonly until: number;
  readonly conversations: readonly Told[];
  readonly more_conversations: number;
  readonly mentions: readonly (WirePlace & { readonly message_id: number; readonly sender_id: number })[];
  readonly reactions: readonly (Emoji & {
    readonly message_id: number;
    readonly user_id: number;
    readonly time: number;
  })[];
  readonly reaction_count: number;
  readonly moved_mine: number;
  readonly is_cut: boolean;
}

const DAY_SECONDS = 24 * 3600;

/**
 * What happened since the time in the address: `#since/1795714021`. Without one, since the reader left, and for who has not been away,
 * since a day ago.
 */
export default function SinceView(): ReactNode {
  const [state, route] = [useChatState(), useRoute()];
  const text = route.view === 'since' ? (route.rest[0] ?? '') : '';
  const [yesterday] = useState(() => Math.floor(Date.now() / 1000) - DAY_SECONDS);
  const unsaid = useLeftAt() ?? yesterday;
  const time = text === '' ? unsaid : /^\d{1,12}$/.test(text) ? Number(text) : undefined;
  const { digest, failure, retry } = useDigest(time);
  return (
    <>
      <ViewHead
        title={words.sinceTitle}
        about={
          time !== undefined && (
            <time className={conversation['about']} dateTime={isoOf(time)} title={wholeTimeOf(time)}>
              {`${dayNameOf(time)} ${timeOf(time)}${digest === undefined ? '' : ` → ${timeOf(digest.until)}`}`}
            </time>
          )
        }
      />
      <div className={inbox['list']}>
        <div className={inbox['inner']}>
          {time === undefined && <p className={widgetClasses['note']}>{words.sinceWhen}</p>}
          {failure !== undefined && (
            <p role="alert" className={widgetClasses['error']}>
              {failure.isTooLongAgo ? words.tooLongAgo : words.sinceFailed(failure.reason)}{' '}
              {failure.isTooLongAgo ? (
                <a href="#inbox">{words.inbox}</a>
              ) : (
                <button type="button" className={widgetClasses['button']} onClick={retry}>
                  {words.retry}
                </button>
              )}
            </p>
          )}
          {time !== undefined && digest === undefined && failure === undefined && <Loading />}
          {digest !== undefined && <Digested digest={digest} state={state} />}
        </div>
      </div>
    </>
  );
}

interface Failure {
  readonly reason: string;
  readonly isTooLongAgo: boolean;
}

function useDigest(time: number | undefined) {
  const [digest, setDigest] = useState<Digest>();
  const [failure, setFailure] = useState<Failure>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    setDigest(undefined);
    setFailure(undefined);
    if (time === undefined) return undefined;
    const stop = new AbortController();
    call<Digest>('GET', '/past/since', { time, allow_empty_topic_name: true }, stop.signal).then(
      setDigest,
      (error: unknown) => {
        if (stop.signal.aborted) return;
        const isTooLongAgo = error instanceof ApiFailure && error.code === 'TOO_LONG_AGO';
        setFailure({ reason: reasonOf(error), isTooLongAgo });
      },
    );
    return () => stop.abort();
  }, [time, attempt]);
  return { digest, failure, retry: () => setAttempt(attempt + 1) };
}

function Digested({ digest, state }: { readonly digest: Digest; readonly state: ChatState }): ReactNode {
  const { mentions, reactions, reaction_count: reactionCount, moved_mine: movedMine } = digest;
  const { conversations, more_conversations: more, is_cut: isCut } = digest;
  const isNothing = conversations.length === 0 && mentions.length === 0 && reactions.length === 0;
  if (isNothing) return <p className={widgetClasses['note']}>{words.sinceNothing}</p>;
  return (
    <>
      <p className={classes['you']}>{words.sinceYou(mentions.length, reactionCount, movedMine)}</p>
      {mentions.length > 0 && (
        <section aria-label={words.mentions}>
          <h2 className={inbox['group']}>{words.mentions}</h2>
          <ul>
            {mentions.map((one) => (
              <Entry
                key={one.message_id}
                hash={hashOf(placeOf(one, state.meId), state, one.message_id)}
                name={placeName(state, placeOf(one, state.meId))}
                facts={words.mentionedBy(personName(state, one.sender_id))}
                isMention
              />
            ))}
          </ul>
        </section>
      )}
      {conversations.length > 0 && (
        <section aria-label={words.conversations}>
          <h2 className={inbox['group']}>{words.conversations}</h2>
          <ul>
            {conversations.map((told) => {
              const place = placeOf(told, state.meId);
              const first = told.first_id > 0 ? told.first_id : told.edited_ids[0];
              return (
                <Entry
                  key={placeKey(place)}
                  hash={hashOf(place, state, first)}
                  name={placeName(state, place)}
                  facts={factsOf(told, state)}
                />
              );
            })}
          </ul>
        </section>
      )}
      {reactions.length > 0 && (
        <section aria-label={words.reactionsToYou}>
          <h2 className={inbox['group']}>{words.reactionsToYou}</h2>
          <ul>
            {reactions.toReversed().map((one) => (
              <Entry
                key={`${one.message_id} ${one.user_id} ${one.emoji_code}`}
                hash={`#narrow/near/${one.message_id}`}
                name={
                  <>
                    <EmojiSign emoji={one} pictures={state.pictures} /> {personName(state, one.user_id)}
                  </>
                }
                facts={timeOf(one.time)}
              />
            ))}
          </ul>
        </section>
      )}
      {more > 0 && <p className={widgetClasses['note']}>{words.moreConversations(more)}</p>}
      {isCut && <p className={widgetClasses['note']}>{words.sinceCut}</p>}
    </>
  );
}

function Entry(props: {
  readonly hash: string;
  readonly name: ReactNode;
  readonly facts: string;
  readonly isMention?: boolean;
}): ReactNode {
  const { hash, name, facts, isMention = false } = props;
  return (
    <li className={`${inbox['row']} ${classes['entry']}`} data-mention={isMention}>
      <a href={hash}>{name}</a>
      <span className={classes['facts']}>{facts}</span>
    </li>
  );
}

function placeOf({ stream_id: channelId, topic = '', user_ids: userIds = [] }: WirePlace, meId: number): Place {
  return channelId === undefined ? directWith(userIds, meId) : { kind: 'topic', channelId, topic };
}

function factsOf(told: Told, state: ChatState): string {
  const nameOf = (id: number | undefined): string | undefined => (id === undefined ? undefined : personName(state, id));
  return words.toldOf({
    sent: told.sent,
    senders: told.sender_ids.map((id) => personName(state, id)),
    edited: told.edited_ids.length,
    movedIn: told.moved_in,
    movedOut: told.moved_out,
    deleted: told.deleted,
    resolvedBy: nameOf(told.resolved_by),
    unresolvedBy: nameOf(told.unresolved_by),
  });
}
