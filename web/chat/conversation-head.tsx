import type { ReactNode } from 'react';
import { IconButton, Square } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import classes from './conversation.module.css';
import type { ChatState } from './model/chat-state.js';
import { useChatState } from './model/hooks.js';
import { channelHash, operandIn, type Term } from './model/narrow.js';
import { placeOfTerms } from './model/place.js';
import { directName, topicName } from './places.js';

/** What a narrow is called. */
export function narrowName(state: ChatState, terms: readonly Term[]): string {
  const place = placeOfTerms(terms, state.meId);
  if (place?.kind === 'direct') return directName(state, place.userIds);
  const [channelId, topic] = [operandIn(terms, 'channel'), operandIn(terms, 'topic')];
  if (typeof channelId === 'number') {
    const name = `#${state.channels.get(channelId)?.name ?? words.unknownChannel}`;
    return topic === undefined ? name : `${name} › ${topicName(String(topic))}`;
  }
  if (terms.length === 0) return words.allMessages;
  const is = operandIn(terms, 'is');
  if (is === 'mentioned') return words.mentions;
  if (is === 'starred') return words.starred;
  const search = operandIn(terms, 'search');
  return `${words.search}: ${search === undefined ? terms.map(({ operator, operand }) => `${operator}:${String(operand)}`).join(' ') : String(search)}`;
}

export function ConversationHead({ terms }: { readonly terms: readonly Term[] }): ReactNode {
  const state = useChatState();
  const channelId = operandIn(terms, 'channel');
  const channel = typeof channelId === 'number' ? state.channels.get(channelId) : undefined;
  const topic = operandIn(terms, 'topic');
  return (
    <header className={classes['head']}>
      <span className={classes['back']}>
        <IconButton icon="back" label={words.back} onClick={() => history.back()} />
      </span>
      <div className={classes['title']}>
        {channel === undefined ? (
          <h1>
            <span>{narrowName(state, terms)}</span>
          </h1>
        ) : (
          <h1>
            <Square color={channel.color} />
            {topic === undefined ? (
              <span>{channel.name}</span>
            ) : (
              <>
                <a href={channelHash(channel.stream_id, channel.name)}>{channel.name}</a>
                <span aria-hidden="true">›</span>
                <span>{topicName(String(topic))}</span>
              </>
            )}
          </h1>
        )}
        {channel?.subscriber_count !== undefined && (
          <span className={classes['about']}>{words.people(channel.subscriber_count)}</span>
        )}
        {topic === undefined && channel !== undefined && (
          <span className={classes['about']}>{channel.description}</span>
        )}
      </div>
    </header>
  );
}
