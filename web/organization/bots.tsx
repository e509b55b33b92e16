import { type ReactNode, useState } from 'react';
import type { State } from '#client';
import { useChatState, useModel } from '../chat/model/hooks.js';
import { byName } from '../shared/order.js';
import { call } from '../shared/api.js';
import { entryWords as words } from '../shared/en-entries.js';
import { Avatar, widgetClasses } from '../shared/widgets.js';
import { useConfirming } from '../settings/confirming.js';
import { paneClasses as classes } from '../settings/panes.js';
import { Told, useSaving } from '../settings/saving.js';
import { GUEST, type Bot } from './bot.js';
import { breakable } from './breakable.js';
import { BotDialog, NewBotDialog } from './bot-dialogs.js';

/** Bots of the reader; for administrators, of everybody. */
export function Bots(): ReactNode {
  const model = useModel();
  const bots = (model.fields.realm_bots ?? []) as readonly Bot[];
  const [open, setOpen] = useState<number | 'new'>();
  const shown = [...bots].sort((a, b) => Number(b.is_active) - Number(a.is_active) || byName(a.full_name, b.full_name));
  const opened = bots.find(({ user_id }) => user_id === open);
  const close = (): void => setOpen(undefined);
  const mayCreate = (model.users?.get(model.self)?.role ?? GUEST) < GUEST;
  return (
    <>
      <p className={classes['hint']}>{words.botsHint}</p>
      {shown.length === 0 && <p className={classes['row']}>{words.botsNone}</p>}
      <ul>
        {shown.map((bot) => (
          <BotRow key={bot.user_id} bot={bot} model={model} change={() => setOpen(bot.user_id)} />
        ))}
      </ul>
      {mayCreate && (
        <p className={classes['inline']}>
          <button type="button" className={widgetClasses['button']} onClick={() => setOpen('new')}>
            {words.botNew}
          </button>
        </p>
      )}
      {open === 'new' && <NewBotDialog close={close} />}
      {opened !== undefined && <BotDialog bot={opened} model={model} close={close} />}
    </>
  );
}

function BotRow(props: { readonly bot: Bot; readonly model: State; readonly change: () => void }): ReactNode {
  const { bot, model, change } = props;
  const { user_id: id, full_name: name, is_active: isActive, owner_id: ownerId } = bot;
  const { phase, run } = useSaving();
  const [ask, confirming] = useConfirming();
  const [isKeyShown, setKeyShown] = useState(false);
  const owner = useChatState().people.get(ownerId ?? -1)?.full_name;
  const deactivate = (): void =>
    ask({
      title: words.deactivate,
      text: words.botDeactivateSure(name),
      act: () => void run(() => call('DELETE', `/bots/${id}`)),
    });
  const renew = (): void =>
    ask({
      title: words.apiKeyRenew,
      text: words.botKeyRenewSure(name),
      act: () => void run(() => call('POST', `/bots/${id}/api_key/regenerate`)),
    });
  const button = (text: string, label: string, act: () => void): ReactNode => (
    <button type="button" className={widgetClasses['button']} aria-label={label} onClick={act}>
      {text}
    </button>
  );
  return (
    <li className={classes['row']}>
      <Avatar url={bot.avatar_url} name={name} />
      <span className={classes['grow']}>
        <a href={`#people/${id}`}>{name}</a>
        {!isActive && <span className={classes['hint']}> {words.deactivatedPerson}</span>}
        <span className={classes['detail']}>
          {breakable(
            [words.botTypes[bot.bot_type], bot.email, owner === undefined ? '' : words.botOwnedBy(owner)]
              .filter(Boolean)
              .join(' · '),
          )}
        </span>
      </span>
      <span className={classes['acts']}>
        {isActive && button(words.change, words.changeOf(name), change)}
        {isActive &&
          bot.api_key !== '' &&
          button(
            isKeyShown ? words.botKeyHide : words.apiKey,
            isKeyShown ? words.botKeyHideOf(name) : words.botKeyOf(name),
            () => setKeyShown(!isKeyShown),
          )}
        {isActive
          ? button(words.deactivate, words.deactivateOf(name), deactivate)
          : model.fields.is_admin === true &&
            button(words.reactivate, words.reactivateOf(name), () => {
              void run(() => call('POST', `/users/${id}/reactivate`));
            })}
      </span>
      {isActive && isKeyShown && (
        <div className={classes['told']}>
          <code className={classes['key']}>{bot.api_key}</code>
          <p className={classes['inline']}>{button(words.apiKeyRenew, words.botKeyRenewOf(name), renew)}</p>
        </div>
      )}
      {phase.kind === 'refused' && <Told phase={phase} />}
      {confirming}
    </li>
  );
}
