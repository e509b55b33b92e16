/** Parts of the dialog of a bot. */
import { type ReactNode, useEffect, useState } from 'react';
import { useChatState } from '../chat/model/hooks.js';
import { sendFile } from '../chat/uploads.js';
import { call, reasonOf } from '../shared/api.js';
import { entryWords as words } from '../shared/en-entries.js';
import { Avatar, Problem, widgetClasses } from '../shared/widgets.js';
import { paneClasses as classes } from '../settings/panes.js';
import { PictureChooser } from '../settings/picture-chooser.js';
import { Told, useSaving } from '../settings/saving.js';
import type { Bot } from './bot.js';
import { ChoicePart, SwitchPart, TextPart } from './entries/entry-dialog.js';

/** Longest that the server takes, in characters, of a name and all values. */
const CONFIG_LENGTH_MAX = 10_000;

/** Its picture is changed at once. */
export function BotPicture({ bot }: { readonly bot: Bot }): ReactNode {
  const { phase, run } = useSaving();
  const choose = (file: File): void => {
    void run(() => sendFile(`/bots/${bot.user_id}`, file, () => undefined, 'PATCH'));
  };
  return (
    <div className={widgetClasses['field']}>
      {words.picture}
      <div className={classes['inline']}>
        <Avatar url={bot.avatar_url} name={bot.full_name} />
        <PictureChooser label={words.pictureChoose} choose={choose} />
      </div>
      <Told phase={phase} />
    </div>
  );
}

/** Channels by their names, as the interface has them; an empty name stands for none. */
export interface ChannelsOfBot {
  readonly default_sending_stream: string;
  readonly default_events_register_stream: string;
  readonly default_all_public_streams: boolean;
}

/** Where it writes, and of what it hears, unless its program says so. */
export function BotChannels(props: {
  readonly channels: ChannelsOfBot;
  readonly change: (part: Partial<ChannelsOfBot>) => void;
}): ReactNode {
  const { channels, change } = props;
  const { default_sending_stream: sendsTo, default_events_register_stream: listensTo } = channels;
  const known = useChatState().allChannels.map(({ name }) => name);
  // Also one that the reader does not see any more.
  const choices = (now: string) =>
    [['', words.noChannelOfBot], ...[...new Set([...known, now])].filter(Boolean).map((name) => [name, name])] as [
      string,
      string,
    ][];
  return (
    <>
      <ChoicePart
        label={words.botSendsTo}
        value={sendsTo}
        choices={choices(sendsTo)}
        set={(next) => change({ default_sending_stream: next })}
      />
      <ChoicePart
        label={words.botListensTo}
        value={listensTo}
        choices={choices(listensTo)}
        set={(next) => change({ default_events_register_stream: next })}
      />
      <SwitchPart
        label={words.botListensToAll}
        value={channels.default_all_public_streams}
        set={(next) => change({ default_all_public_streams: next })}
      />
    </>
  );
}

type Config = Readonly<Record<string, string>>;

/** What its program keeps here, by name. Names are added and never removed. */
export function BotConfig(props: {
  readonly bot: Bot;
  /** What has been changed. */
  readonly changed: Config;
  readonly change: (changed: Config) => void;
}): ReactNode {
  const { bot, changed, change } = props;
  const [known, setKnown] = useState<Config>();
  const [problem, setProblem] = useState<string>();
  const [name, setName] = useState('');
  useEffect(() => {
    // It is in no list: the answer to a change has it, also to one of nothing.
    call<{ readonly config_data: Config }>('PATCH', `/bots/${bot.user_id}`, {}).then(
      ({ config_data: config }) => setKnown(config),
      (error: unknown) => setProblem(reasonOf(error)),
    );
  }, [bot.user_id]);
  const all = { ...known, ...changed };
  const add = (): void => {
    if (name.trim() === '' || Object.hasOwn(all, name.trim())) return;
    change({ ...changed, [name.trim()]: '' });
    setName('');
  };
  return (
    <fieldset className={classes['methods']}>
      <legend>{words.botConfig}</legend>
      <p className={classes['hint']}>{words.botConfigHint}</p>
      <Problem reason={problem} />
      {Object.entries(all).map(([key, value]) => (
        <TextPart
          key={key}
          label={key}
          value={value}
          lengthMax={CONFIG_LENGTH_MAX}
          isOptional
          isCode
          set={(next) => change({ ...changed, [key]: next })}
        />
      ))}
      {known !== undefined && (
        <div className={classes['inline']}>
          <label className={widgetClasses['field']}>
            {words.botConfigName}
            <input
              className={`${widgetClasses['input']} ${classes['code']}`}
              value={name}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setName(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || name.trim() === '') return;
                // It adds the name, and does not save the bot.
                event.preventDefault();
                add();
              }}
            />
          </label>
          <button type="button" className={widgetClasses['button']} onClick={add}>
            {words.botConfigAdd}
          </button>
        </div>
      )}
    </fieldset>
  );
}
