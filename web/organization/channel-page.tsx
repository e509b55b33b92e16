import { type ReactNode, useState } from 'react';
import type { State } from '#client';
import { useModel, useRoute } from '../chat/model/hooks.js';
import { channelHash } from '../chat/model/narrow.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { widgetClasses } from '../shared/widgets.js';
import { GroupField, type GroupSetting, isHolder, supportedSettings } from '../settings/group-field.js';
import { paneClasses as classes, Panes } from '../settings/panes.js';
import { Told, useSaving } from '../settings/saving.js';
import { ChoiceField, type Choices, SwitchField, TextField, type Value } from '../settings/setting-field.js';
import { foldersIn } from './channels.js';
import { Subscribers } from './subscribers.js';

type Channel = NonNullable<ReturnType<NonNullable<State['channels']>['get']>>;
type Section = keyof typeof words.channelSections;

/** The channel as the reader has it: with what they have set, when they are subscribed. */
function channelIn({ subscriptions, unsubscribed, neverSubscribed, channels }: State, id: number): Channel | undefined {
  return subscriptions?.get(id) ?? unsubscribed?.get(id) ?? neverSubscribed?.get(id) ?? channels?.get(id);
}

/** One channel: who is subscribed, what the reader has set, and what those can change who may. */
export function ChannelPage({ channelId }: { readonly channelId: number }): ReactNode {
  const model = useModel();
  const { rest } = useRoute() as { readonly rest: readonly string[] };
  const channel = channelIn(model, channelId);
  if (channel === undefined) return <p className={widgetClasses['note']}>{words.channelGone}</p>;
  const asked = rest[1] ?? '';
  const current = asked in words.channelSections ? (asked as Section) : 'subscribers';
  return (
    <Panes title={`#${channel.name}`} base={`#browse/${channelId}`} sections={words.channelSections} current={current}>
      <Membership channel={channel} model={model} />
      {current === 'subscribers' && <Subscribers channel={channel} because={becauseOf(model, channel)} />}
      {current === 'yours' && <Yours channel={channel} model={model} />}
      {current === 'settings' && <ChannelSettings channel={channel} model={model} />}
      {current === 'permissions' && <Permissions channel={channel} model={model} />}
    </Panes>
  );
}

/** Why the reader cannot change the channel; undefined when they can. */
function becauseOf(model: State, channel: Channel): string | undefined {
  const may =
    model.fields.is_admin === true ||
    isHolder(model, channel['can_administer_channel_group'] as GroupSetting | undefined, model.self);
  return may ? undefined : words.onlyChannelAdministrators;
}

interface Props {
  readonly channel: Channel;
  readonly model: State;
}

function Membership({ channel, model }: Props): ReactNode {
  const { stream_id: id, name } = channel;
  const { phase, run } = useSaving();
  const isMember = model.subscriptions?.has(id) === true;
  const join = (): Promise<unknown> => call('POST', '/users/me/subscriptions', { subscriptions: [{ name }] });
  const leave = (): Promise<unknown> => call('DELETE', '/users/me/subscriptions', { subscriptions: [name] });
  return (
    <div className={classes['inline']}>
      <a className={widgetClasses['button']} href={channelHash(id, name)}>
        {words.channelOpen}
      </a>
      <button type="button" className={widgetClasses['button']} onClick={() => void run(isMember ? leave : join)}>
        {isMember ? words.unsubscribe : words.subscribe}
      </button>
      {phase.kind === 'refused' && <Told phase={phase} />}
    </div>
  );
}

const NOTIFICATIONS = {
  desktop_notifications: 'enable_stream_desktop_notifications',
  email_notifications: 'enable_stream_email_notifications',
  push_notifications: 'enable_stream_push_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} as const;

function Yours({ channel, model }: Props): ReactNode {
  const { stream_id } = channel;
  if (model.subscriptions?.has(stream_id) !== true) return <p className={classes['row']}>{words.notSubscribed}</p>;
  const settings = model.fields.user_settings as unknown as Readonly<Record<string, boolean>>;
  const set =
    (property: string) =>
    (value: Value): Promise<unknown> =>
      call('POST', '/users/me/subscriptions/properties', { subscription_data: [{ stream_id, property, value }] });
  return (
    <>
      <Color channel={channel} save={set('color')} />
      {(Object.keys(words.yours) as (keyof typeof words.yours)[]).map((name) => {
        const inherited = name in NOTIFICATIONS ? settings[NOTIFICATIONS[name as keyof typeof NOTIFICATIONS]] : false;
        const value = (channel[name] as boolean | null | undefined) ?? inherited ?? false;
        return <SwitchField key={name} label={words.yours[name]} value={value} save={set(name)} />;
      })}
    </>
  );
}

function Color({
  channel,
  save,
}: Pick<Props, 'channel'> & { readonly save: (value: Value) => Promise<unknown> }): ReactNode {
  const { phase, run } = useSaving();
  const [chosen, setChosen] = useState<string>();
  return (
    <div className={classes['setting']}>
      <label htmlFor="channel-color">{words.color}</label>
      <input
        id="channel-color"
        type="color"
        value={chosen ?? (channel['color'] as string)}
        onChange={(event) => setChosen(event.currentTarget.value)}
        onBlur={() => {
          if (chosen !== undefined) void run(() => save(chosen)).then(() => setChosen(undefined));
        }}
      />
      <Told phase={phase} />
    </div>
  );
}

const PRIVACIES = {
  public: { is_private: false, is_web_public: false, history_public_to_subscribers: true },
  private: { is_private: true, is_web_public: false, history_public_to_subscribers: true },
  protected: { is_private: true, is_web_public: false, history_public_to_subscribers: false },
  web: { is_private: false, is_web_public: true, history_public_to_subscribers: true },
} as const;

function privacyOf(channel: Channel): keyof typeof PRIVACIES {
  if (channel['is_web_public'] === true) return 'web';
  if (channel['invite_only'] !== true) return 'public';
  return channel['history_public_to_subscribers'] === true ? 'private' : 'protected';
}

function ChannelSettings({ channel, model }: Props): ReactNode {
  const because = becauseOf(model, channel);
  const change = (params: Readonly<Record<string, unknown>>): Promise<unknown> =>
    call('PATCH', `/streams/${channel.stream_id}`, params);
  const folders: Choices = [
    [null, words.noFolder],
    ...foldersIn(model)
      .filter(({ is_archived }) => !is_archived)
      .map(({ id, name }) => [id, name] as const),
  ];
  const topics = Object.entries(words.values['topics_policy'] ?? {});
  const privacies = Object.entries(words.privacies);
  return (
    <>
      <TextField
        label={words.name}
        value={channel.name}
        lengthMax={60}
        because={because}
        save={(new_name) => change({ new_name })}
      />
      <TextField
        label={words.description}
        value={channel['description'] as string}
        lengthMax={1024}
        isLong
        because={because}
        save={(description) => change({ description })}
      />
      <ChoiceField
        label={words.privacy}
        value={privacyOf(channel)}
        choices={privacies}
        because={because}
        save={(chosen) => change(PRIVACIES[chosen as keyof typeof PRIVACIES])}
      />
      <ChoiceField
        label={words.topicsPolicy}
        value={channel['topics_policy'] as string}
        choices={topics}
        because={because}
        save={(topics_policy) => change({ topics_policy })}
      />
      <ChoiceField
        label={words.folder}
        value={(channel['folder_id'] as number | null | undefined) ?? null}
        choices={folders}
        because={because}
        save={(folder_id) => change({ folder_id })}
      />
    </>
  );
}

function Permissions({ channel, model }: Props): ReactNode {
  const because = becauseOf(model, channel);
  return Object.entries(supportedSettings(model).stream).map(([name, supported]) => (
    <GroupField
      key={name}
      label={words.channelPermissions[name] ?? name}
      supported={supported}
      value={channel[name] as GroupSetting}
      because={because}
      save={(value) => call('PATCH', `/streams/${channel.stream_id}`, { [name]: value })}
    />
  ));
}
