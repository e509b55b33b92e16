import type { ReactNode } from 'react';
import type { State } from '#client';
import { useModel } from '../chat/model/hooks.js';
import { byName } from '../shared/order.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { Icon } from '../shared/icons.js';
import { widgetClasses } from '../shared/widgets.js';
import { useConfirming } from '../settings/confirming.js';
import { paneClasses as classes, Part } from '../settings/panes.js';
import { Told, useSaving } from '../settings/saving.js';
import { DefaultGroups } from './default-groups.js';
import { NewName } from './new-name.js';
import { TextField, useChosen } from '../settings/setting-field.js';

export interface Folder {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly is_archived: boolean;
}

export const foldersIn = ({ fields }: State): readonly Folder[] => fields.channel_folders ?? [];

type Channel = NonNullable<ReturnType<NonNullable<State['channels']>['get']>>;

/** All channels that the reader knows: archived ones too, defaults, folders. */
export function Channels(): ReactNode {
  const model = useModel();
  const { subscriptions, unsubscribed, neverSubscribed } = model;
  const all = [subscriptions, unsubscribed, neverSubscribed]
    .flatMap((list) => [...(list?.values() ?? [])])
    .sort((a, b) => Number(a.is_archived) - Number(b.is_archived) || byName(a.name, b.name));
  return (
    <>
      <ul>
        {all.map((channel) => (
          <ChannelRow key={channel.stream_id} channel={channel} model={model} />
        ))}
      </ul>
      <Folders model={model} />
      {model.fields.is_admin === true && <DefaultGroups model={model} />}
    </>
  );
}

function ChannelRow({ channel, model }: { readonly channel: Channel; readonly model: State }): ReactNode {
  const { stream_id: id, name, is_archived: isArchived = false } = channel;
  const { phase, run } = useSaving();
  const [ask, dialog] = useConfirming();
  const isAdministrator = model.fields.is_admin === true;
  const defaults = (model.fields.realm_default_streams ?? []) as readonly number[];
  const archive = (): void =>
    ask({
      title: words.archive,
      text: words.archiveSure(name),
      act: () => void run(() => call('DELETE', `/streams/${id}`)),
    });
  const isPrivate = channel['invite_only'] === true;
  return (
    <li className={classes['row']}>
      <span className={classes['grow']}>
        <a href={`#browse/${id}`}>{name}</a>{' '}
        <span className={classes['hint']}>
          {isPrivate && (
            <>
              <Icon name="lock" size={12} /> {words.privateChannel}{' '}
            </>
          )}
          {isArchived && words.archivedNote}
        </span>
      </span>
      {isAdministrator && (
        <span className={classes['acts']}>
          {!isArchived && (
            <>
              <DefaultBox channel={channel} isDefault={defaults.includes(id)} />
              <FolderChoice channel={channel} model={model} />
            </>
          )}
          <button
            type="button"
            className={widgetClasses['button']}
            aria-label={isArchived ? words.unarchiveOf(name) : words.archiveOf(name)}
            onClick={
              isArchived ? () => void run(() => call('PATCH', `/streams/${id}`, { is_archived: false })) : archive
            }
          >
            {isArchived ? words.unarchive : words.archive}
          </button>
        </span>
      )}
      {phase.kind === 'refused' && <Told phase={phase} />}
      {dialog}
    </li>
  );
}

function DefaultBox({ channel, isDefault }: { readonly channel: Channel; readonly isDefault: boolean }): ReactNode {
  const { stream_id, name } = channel;
  const { phase, choose, shown } = useChosen(isDefault, (next) =>
    call(next ? 'POST' : 'DELETE', '/default_streams', { stream_id }),
  );
  return (
    <label className={classes['check']}>
      <input
        type="checkbox"
        checked={shown}
        disabled={channel['invite_only'] === true}
        aria-label={words.defaultOf(name)}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      <span aria-hidden="true">{words.defaultFor}</span>
      {phase.kind === 'refused' && <Told phase={phase} />}
    </label>
  );
}

function FolderChoice({ channel, model }: { readonly channel: Channel; readonly model: State }): ReactNode {
  const { stream_id: id, name } = channel;
  const now = (channel['folder_id'] as number | null | undefined) ?? null;
  const { phase, choose, shown } = useChosen(now, (folder_id) => call('PATCH', `/streams/${id}`, { folder_id }));
  return (
    <>
      <select
        className={`${widgetClasses['input']} ${classes['narrow']}`}
        aria-label={words.folderOf(name)}
        value={shown ?? ''}
        onChange={({ currentTarget: { value } }) => choose(value === '' ? null : Number(value))}
      >
        <option value="">{words.noFolder}</option>
        {foldersIn(model)
          .filter(({ is_archived }) => !is_archived)
          .map((folder) => (
            <option key={folder.id} value={folder.id}>
              {folder.name}
            </option>
          ))}
      </select>
      {phase.kind === 'refused' && <Told phase={phase} />}
    </>
  );
}

function Folders({ model }: { readonly model: State }): ReactNode {
  const { phase, run } = useSaving();
  const isAdministrator = model.fields.is_admin === true;
  const folders = foldersIn(model);
  return (
    <Part title={words.folders}>
      {folders.length === 0 && <p className={classes['row']}>{words.foldersNone}</p>}
      {folders.map(({ id, name: known, is_archived: isArchived }) => (
        <div key={id} className={classes['folder']}>
          <TextField
            label={known}
            value={known}
            lengthMax={100}
            because={isAdministrator ? undefined : words.onlyAdministratorsHere}
            save={(next) => call('PATCH', `/channel_folders/${id}`, { name: next })}
          />
          {isAdministrator && (
            <button
              type="button"
              className={widgetClasses['button']}
              aria-label={isArchived ? words.unarchiveOf(known) : words.archiveOf(known)}
              onClick={() => void run(() => call('PATCH', `/channel_folders/${id}`, { is_archived: !isArchived }))}
            >
              {isArchived ? words.unarchive : words.archive}
            </button>
          )}
        </div>
      ))}
      {isAdministrator && (
        <NewName
          label={words.newFolder}
          create={(name) => run(() => call('POST', '/channel_folders/create', { name, description: '' }))}
        />
      )}
      <Told phase={phase} />
    </Part>
  );
}
