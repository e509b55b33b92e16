import { type ReactNode, type SubmitEvent, useState } from 'react';
import { beginIn } from '../chat/begin.js';
import inbox from '../chat/inbox.module.css';
import { useChat, useChatState, useRoute } from '../chat/model/hooks.js';
import { ViewHead } from '../chat/view-head.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { Icon } from '../shared/icons.js';
import { Square, widgetClasses } from '../shared/widgets.js';
import { paneClasses } from '../settings/panes.js';
import { Told, useSaving } from '../settings/saving.js';
import { ChannelPage } from './channel-page.js';

/** All channels that the reader can see, or one of them with its settings and subscribers. */
export default function Browse(): ReactNode {
  const { rest } = useRoute() as { readonly rest: readonly string[] };
  const id = Number(rest[0]);
  return Number.isSafeInteger(id) && id > 0 ? <ChannelPage key={id} channelId={id} /> : <All />;
}

/** To join, to leave, or to make another. */
function All(): ReactNode {
  const [chat, state] = [useChat(), useChatState()];
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const found = state.allChannels.filter(({ name }) => name.toLowerCase().includes(wanted));
  return (
    <>
      <ViewHead title={words.channels} />
      <div className={inbox['list']}>
        <div className={inbox['inner']}>
          <input
            className={widgetClasses['input']}
            type="search"
            aria-label={words.findChannel}
            placeholder={words.findChannel}
            style={{ marginBlockEnd: 8 }}
            value={filter}
            onChange={(event) => setFilter(event.currentTarget.value)}
          />
          {found.length === 0 && <p className={widgetClasses['note']}>{words.noChannel}</p>}
          <ul>
            {found.map(({ stream_id: id, name, description, color, invite_only: isPrivate }) => {
              const isMember = state.channels.has(id);
              return (
                <li key={id} className={inbox['row']}>
                  <Square color={color ?? 'var(--line)'} />
                  <div className={inbox['what']}>
                    <a href={`#browse/${id}`}>{name}</a>
                    {description !== '' && <span className={inbox['line']}>{description}</span>}
                  </div>
                  {isPrivate && <Icon name="lock" size={12} />}
                  <button
                    type="button"
                    className={widgetClasses['button']}
                    aria-label={`${isMember ? words.unsubscribe : words.subscribe}: ${name}`}
                    onClick={() => (isMember ? chat.unsubscribe(name) : chat.subscribeTo(name))}
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
  const { meId } = useChatState();
  const { phase, run } = useSaving();
  const create = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    // A second one would be refused, since the name is in use.
    if (phase.kind === 'saving') return;
    const form = new FormData(event.currentTarget);
    const [name = '', description = ''] = ['name', 'description'].map((field) => {
      const value = form.get(field);
      return typeof value === 'string' ? value.trim() : '';
    });
    const params = { name, description, subscribers: [meId], invite_only: form.has('private') };
    const at = location.hash;
    void run(async () => {
      const { id } = await call<{ readonly id: number }>('POST', '/channels/create', params);
      // Who has gone elsewhere since is not led there.
      if (location.hash === at) beginIn({ stream_id: id, name });
    });
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
      <label className={paneClasses['check']}>
        <input type="checkbox" name="private" />
        {words.onlyForSubscribers}
      </label>
      <button type="submit" className={widgetClasses['primary']} style={{ justifySelf: 'start' }}>
        {words.create}
      </button>
      <Told phase={phase} />
    </form>
  );
}
