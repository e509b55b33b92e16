import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { Icon, type IconName } from '../shared/icons.js';
import { Dialog, Square, widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import { useChatState } from './model/hooks.js';
import type { ChatState } from './model/chat-state.js';
import { channelHash, directHash, narrowHash, operandIn } from './model/narrow.js';
import { useTopics } from './model/topics.js';
import { hashOf, topicName } from './places.js';
import { type Completion, completionsOf } from './search/completions.js';
import { termsOfQuery, tokensOf } from './search/query.js';
import { unreadCounts } from './unread-counts.js';

const SHOWN_MAX = 8;
const ONE_LINE = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

interface Candidate {
  readonly key: string;
  readonly text: string;
  readonly about: string;
  readonly hash: string;
  /** For a part of a search: what is typed then. */
  readonly query?: string;
  readonly icon?: IconName;
  readonly color?: string;
}

/** Goes to a channel, a topic, a person or a search. Enter takes the row that is marked. */
export function GoTo({ onClose }: { readonly onClose: () => void }): ReactNode {
  const state = useChatState();
  const [query, setQuery] = useState('');
  const [marked, setMarked] = useState(0);
  const completions = completionsOf(query, state, useTopics(channelIn(query, state)), SHOWN_MAX - 1);
  const found = candidates(state, query, completions);
  const go = (candidate: Candidate | undefined): void => {
    if (candidate === undefined) return;
    if (candidate.query !== undefined) {
      setQuery(candidate.query);
      setMarked(0);
      return;
    }
    onClose();
    location.hash = candidate.hash;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    // Tab completes, and leaves the field where there is nothing to complete.
    if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey && completions.length > 0)) go(found[marked]);
    else if (event.key === 'ArrowDown') setMarked((marked + 1) % found.length);
    else if (event.key === 'ArrowUp') setMarked((marked - 1 + found.length) % found.length);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={words.goTo} onClose={onClose}>
      <input
        className={widgetClasses['input']}
        role="combobox"
        aria-expanded="true"
        aria-controls="go-to"
        aria-activedescendant={found[marked] === undefined ? undefined : `go-to-${marked}`}
        aria-label={words.goTo}
        autoFocus
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setMarked(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id="go-to" role="listbox" aria-label={words.suggestions} style={{ marginBlockStart: 12, minBlockSize: 264 }}>
        {found.map((candidate, index) => (
          <li
            key={candidate.key}
            id={`go-to-${index}`}
            role="option"
            aria-selected={index === marked}
            className={widgetClasses['item']}
            style={index === marked ? { background: 'var(--accent-ground)' } : undefined}
            onClick={() => go(candidate)}
          >
            {candidate.color === undefined ? (
              <Icon name={candidate.icon ?? 'search'} />
            ) : (
              <Square color={candidate.color} />
            )}
            <span style={{ minInlineSize: 0, ...ONE_LINE }}>{candidate.text}</span>
            <span
              style={{ flex: 1, minInlineSize: 48, textAlign: 'end', color: 'var(--muted)', fontSize: 13, ...ONE_LINE }}
            >
              {candidate.about}
            </span>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** The channel that a query names. */
function channelIn(query: string, state: ChatState): number | undefined {
  const operand = operandIn(termsOfQuery(query, state), 'channel');
  return typeof operand === 'number' ? operand : undefined;
}

/** From what this page knows, in the same moment as the key. */
function candidates(state: ChatState, query: string, completions: readonly Completion[]): readonly Candidate[] {
  const wanted = query.trim().toLowerCase();
  const search = {
    key: 'search',
    text: query.trim(),
    about: words.search,
    hash: narrowHash(termsOfQuery(query, state), state),
  };
  const parts = completions.map(({ key, text, about, query: next }): Candidate => ({
    key,
    text,
    about,
    query: next,
    hash: '',
  }));
  // With an operator it is a search, and one that names something already is done at once.
  if (tokensOf(query).some(({ operator }) => operator !== undefined))
    return parts[0]?.query?.trim().toLowerCase() === wanted ? [search, ...parts] : [...parts, search];

  const rank = (text: string): number => {
    const at = text.toLowerCase().indexOf(wanted);
    if (at <= 0) return at;
    return /[\s\-_.]/.test(text[at - 1] ?? '') ? 1 : 2;
  };
  const unread = unreadCounts(state).conversations.flatMap(({ place, key }): Candidate[] => {
    if (place.kind !== 'topic') return [];
    const { name, color } = state.channels.get(place.channelId) ?? { name: '', color: '' };
    return [{ key, text: topicName(place.topic), about: name, hash: hashOf(place, state), color }];
  });
  const channels = [...state.channels.values()].map(({ stream_id: id, name, color }) => ({
    key: `c${id}`,
    text: name,
    about: '',
    hash: channelHash(id, name),
    color,
  }));
  const people = [...state.people.values()]
    .filter(({ is_active }) => is_active !== false)
    .map(({ user_id: id, full_name, is_bot }): Candidate => {
      const hash = directHash([...new Set([id, state.meId])].sort((a, b) => a - b));
      return { key: `p${id}`, text: full_name, about: is_bot ? words.bot : '', hash, icon: 'people' };
    });
  const found = [...channels, ...unread, ...people]
    .map((candidate) => ({ candidate, at: rank(candidate.text) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
    .slice(0, wanted === '' ? SHOWN_MAX : SHOWN_MAX - 1)
    .map(({ candidate }) => candidate);
  return wanted === '' ? found : [...found.slice(0, SHOWN_MAX - 1 - parts.length), ...parts, search];
}
