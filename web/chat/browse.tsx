import { type ReactNode, type SubmitEvent, useState } from 'react';
import { Square, widgetClasses } from '../shared/widgets.js';
import { words } from '../shared/words.js';
import classes from './conversation.module.css';
import inbox from './inbox.module.css';
import { useChat, useChatState } from './model/hooks.js';
import { channelHash } from './model/narrow.js';

/** All channels that the reader can see: to join, to leave, or to make another. */
export function Browse(): ReactNode {
  const [chat, state] = [useChat(), useChatState()];
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const found = state.allChannels.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      <header className={classes['head']}>
        <div className={classes['title']}>
          <h1>{words.channels}</h1>
        </div>
      </header>
      <div className={inbox['list']}>
        <div className={inbox['inner']}>
          <input
            className={widgetClasses['input']}
            type="search"
            aria-label={words.findChannel}
            placeholder={words.findChannel}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
          {found.length === 0 && <p className={widgetClasses['note']}>{words.noChannel}</p>}
          <ul>
            {found.map(({ stream_id: id, name, description, color }) => {
              const isMember = state.channels.has(id);
              return (
                <li key={id} className={inbox['row']}>
                  <Square color={color ?? 'var(--line)'} />
                  <a href={channelHash(id, name)}>{name}</a>
                  <span className={classes['about']}>{description}</span>
                  <button
                    type="button"
                    className={widgetClasses['button']}
                    aria-label={`${isMember ? words.unsubscribe : words.subscribe}: ${name}`}
                    onClick={() => (isMember ? chat.unsubscribe(name) : chat.subscribeTo(name, ''))}
                  >
                    {isMember ? words.unsubscribe : words.subscribe}
                  </button>
                </li>
              );
            })}
          </ul>
          <NewChannel />
        </div>
      </div>
    </>
  );
}

function NewChannel(): ReactNode {
  const chat = useChat();
  const create = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const [name, description] = ['name', 'description'].map((field) => {
      const element = form.elements.namedItem(field);
      return element instanceof HTMLInputElement ? element.value.trim() : '';
    });
    if (name === undefined || name === '') return;
    chat.subscribeTo(name, description ?? '');
    form.reset();
  };
  return (
    <form onSubmit={create} style={{ display: 'grid', gap: 12, marginBlockStart: 32, maxInlineSize: 420 }}>
      <h2>{words.newChannel}</h2>
      <label className={widgetClasses['field']}>
        {words.name}
        <input className={widgetClasses['input']} name="name" required maxLength={60} autoComplete="off" />
      </label>
      <label className={widgetClasses['field']}>
        {words.description}
        <input className={widgetClasses['input']} name="description" maxLength={1024} autoComplete="off" />
      </label>
      <button type="submit" className={widgetClasses['primary']} style={{ justifySelf: 'start' }}>
        {words.create}
      </button>
    </form>
  );
}
