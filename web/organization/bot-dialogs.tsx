import type { ReactNode } from 'react';
import type { State } from '#client';
import { byName } from '../shared/order.js';
import { call } from '../shared/api.js';
import { entryWords as words } from '../shared/en-entries.js';
import { GUEST, type Bot } from './bot.js';
import { BotChannels, BotConfig, BotPicture } from './bot-parts.js';
import { ChoicePart, EntryDialog, TextPart } from './entries/entry-dialog.js';

/** Kinds of bots, by their numbers in the interface. The server runs no bots itself. */
const [GENERIC, INCOMING, OUTGOING] = [1, 2, 3];
/** Longest that the server takes, in characters. */
const [NAME_LENGTH_MAX, URL_LENGTH_MAX] = [100, 2000];
/** Forms of the calls to a service: the interface's own, and Slack's. */
const INTERFACES = [1, 2];

const NO_CONFIG: Readonly<Record<string, string>> = {};

const interfaces = INTERFACES.map((one) => [one, words.botInterfaces[one] ?? ''] as const);

export function NewBotDialog({ close }: { readonly close: () => void }): ReactNode {
  const types = [GENERIC, INCOMING, OUTGOING].map((one) => [one, words.botTypes[one] ?? ''] as const);
  return (
    <EntryDialog
      title={words.botNew}
      act={words.add}
      first={{ full_name: '', short_name: '', bot_type: GENERIC, payload_url: '', interface_type: 1 }}
      save={({ payload_url, interface_type, ...bot }) =>
        call('POST', '/bots', bot.bot_type === OUTGOING ? { ...bot, payload_url, interface_type } : bot)
      }
      close={close}
    >
      {(bot, change) => (
        <>
          <ChoicePart
            label={words.fieldType}
            value={bot.bot_type}
            choices={types}
            set={(next) => change({ bot_type: next })}
          />
          <TextPart
            label={words.name}
            value={bot.full_name}
            lengthMax={NAME_LENGTH_MAX}
            set={(next) => change({ full_name: next })}
          />
          <TextPart
            label={words.botShortName}
            hint={words.botShortNameHint}
            value={bot.short_name}
            lengthMax={NAME_LENGTH_MAX}
            isCode
            set={(next) => change({ short_name: next })}
          />
          {bot.bot_type === OUTGOING && (
            <Service
              url={bot.payload_url}
              form={bot.interface_type}
              setUrl={(next) => change({ payload_url: next })}
              setForm={(next) => change({ interface_type: next })}
            />
          )}
        </>
      )}
    </EntryDialog>
  );
}

export function BotDialog(props: { readonly bot: Bot; readonly model: State; readonly close: () => void }): ReactNode {
  const { bot, model, close } = props;
  const { user_id: id, services, owner_id: ownerId } = bot;
  const [service] = services;
  const owners = [...(model.users?.values() ?? [])]
    .filter(({ user_id, is_bot, role }) => user_id === ownerId || (is_bot !== true && (role ?? GUEST) < GUEST))
    .map(({ user_id, full_name }) => [user_id, full_name] as const)
    .sort(([, a], [, b]) => byName(a, b));
  return (
    <EntryDialog
      title={words.botChange}
      act={words.save}
      first={{
        full_name: bot.full_name,
        bot_owner_id: ownerId ?? model.self,
        service_payload_url: service?.base_url ?? '',
        service_interface: service?.interface ?? 1,
        default_sending_stream: bot.default_sending_stream ?? '',
        default_events_register_stream: bot.default_events_register_stream ?? '',
        default_all_public_streams: bot.default_all_public_streams,
        config_data: NO_CONFIG,
      }}
      // The rest is not sent: a channel that the reader does not see would be refused.
      save={(_, changed) => call('PATCH', `/bots/${id}`, changed)}
      close={close}
    >
      {(draft, change) => (
        <>
          <TextPart
            label={words.name}
            value={draft.full_name}
            lengthMax={NAME_LENGTH_MAX}
            set={(next) => change({ full_name: next })}
          />
          <BotPicture bot={bot} />
          <ChoicePart
            label={words.botOwner}
            value={draft.bot_owner_id}
            choices={owners}
            set={(next) => change({ bot_owner_id: next })}
          />
          {service !== undefined && (
            <Service
              url={draft.service_payload_url}
              form={draft.service_interface}
              setUrl={(next) => change({ service_payload_url: next })}
              setForm={(next) => change({ service_interface: next })}
            />
          )}
          <BotChannels channels={draft} change={change} />
          <BotConfig bot={bot} changed={draft.config_data} change={(next) => change({ config_data: next })} />
        </>
      )}
    </EntryDialog>
  );
}

function Service(props: {
  readonly url: string;
  readonly form: number;
  readonly setUrl: (url: string) => void;
  readonly setForm: (form: number) => void;
}): ReactNode {
  const { url, form, setUrl, setForm } = props;
  return (
    <>
      <TextPart
        label={words.botService}
        hint={words.botServiceHint}
        value={url}
        lengthMax={URL_LENGTH_MAX}
        isCode
        set={setUrl}
      />
      <ChoicePart label={words.botInterface} value={form} choices={interfaces} set={setForm} />
    </>
  );
}
