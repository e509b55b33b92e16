import { type ReactNode, type SubmitEvent, useState } from 'react';
import type { State } from '#client';
import { useChatState } from '../chat/model/hooks.js';
import { channelName } from '../chat/places.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { widgetClasses } from '../shared/widgets.js';
import { useConfirming } from '../settings/confirming.js';
import { paneClasses as classes, Part } from '../settings/panes.js';
import { type Saving, Told, useSaving } from '../settings/saving.js';
import { TextField } from '../settings/setting-field.js';
import { NewName } from './new-name.js';

/** Channels that new people can be subscribed to together, besides those that everybody gets. */
export interface DefaultGroup {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly streams: readonly number[];
}

export const defaultGroupsIn = ({ fields }: State): readonly DefaultGroup[] => fields.realm_default_stream_groups ?? [];

/** For administrators. */
export function DefaultGroups({ model }: { readonly model: State }): ReactNode {
  const { phase, run } = useSaving();
  const groups = defaultGroupsIn(model);
  return (
    <Part title={words.defaultGroups} hint={words.defaultGroupsHint}>
      {groups.length === 0 && <p className={classes['row']}>{words.defaultGroupsNone}</p>}
      {groups.map((group) => (
        <Group key={group.id} group={group} model={model} />
      ))}
      <NewName
        label={words.newDefaultGroup}
        create={(name) =>
          run(() =>
            call('POST', '/default_stream_groups/create', { group_name: name, description: '', stream_names: [] }),
          )
        }
      />
      <Told phase={phase} />
    </Part>
  );
}

function Group({ group, model }: { readonly group: DefaultGroup; readonly model: State }): ReactNode {
  const { id, name, description, streams } = group;
  const { phase, run } = useSaving();
  const [ask, dialog] = useConfirming();
  const path = `/default_stream_groups/${id}`;
  const remove = (): void =>
    ask({
      title: words.remove,
      text: words.defaultGroupRemoveSure(name),
      act: () => void run(() => call('DELETE', path)),
    });
  return (
    <details className={classes['details']}>
      <summary>
        {name} <span className={classes['hint']}>{words.channelsOf(streams.length)}</span>
      </summary>
      <TextField
        label={words.groupName}
        value={name}
        lengthMax={60}
        save={(next) => call('PATCH', path, { new_group_name: next })}
      />
      <TextField
        label={words.description}
        value={description}
        lengthMax={1024}
        save={(next) => call('PATCH', path, { new_description: next })}
      />
      <GroupChannels group={group} model={model} run={run} />
      <p className={classes['inline']}>
        <button
          type="button"
          className={widgetClasses['button']}
          aria-label={words.removeDefaultGroup(name)}
          onClick={remove}
        >
          {words.removeGroup}
        </button>
      </p>
      {phase.kind === 'refused' && <Told phase={phase} />}
      {dialog}
    </details>
  );
}

function GroupChannels(props: {
  readonly group: DefaultGroup;
  readonly model: State;
  readonly run: Saving['run'];
}): ReactNode {
  const { group, model, run } = props;
  const { id, name: groupName, streams } = group;
  const state = useChatState();
  const [chosen, setChosen] = useState('');
  const defaults = (model.fields.realm_default_streams ?? []) as readonly number[];
  const left = state.allChannels.filter(
    ({ stream_id, invite_only }) => !invite_only && !defaults.includes(stream_id) && !streams.includes(stream_id),
  );
  const change = (op: 'add' | 'remove', channel: string): Promise<boolean> =>
    run(() => call('PATCH', `/default_stream_groups/${id}/streams`, { op, stream_names: [channel] }));
  const add = (event: SubmitEvent): void => {
    event.preventDefault();
    void change('add', chosen).then((isDone) => {
      if (isDone) setChosen('');
    });
  };
  return (
    <>
      {streams.length === 0 && <p className={classes['row']}>{words.defaultGroupEmpty}</p>}
      <ul>
        {streams.map((channelId) => {
          const name = channelName(state, channelId);
          return (
            <li key={channelId} className={classes['row']}>
              <span className={classes['grow']}>{`#${name}`}</span>
              <button
                type="button"
                className={widgetClasses['button']}
                aria-label={words.removeFrom(name, groupName)}
                onClick={() => void change('remove', name)}
              >
                {words.remove}
              </button>
            </li>
          );
        })}
      </ul>
      <form className={classes['inline']} onSubmit={add}>
        <label className={widgetClasses['field']}>
          {words.addChannelTo(groupName)}
          <select
            className={widgetClasses['input']}
            value={chosen}
            required
            onChange={(event) => setChosen(event.currentTarget.value)}
          >
            <option value="">{words.noChannelToAdd}</option>
            {left.map(({ stream_id, name }) => (
              <option key={stream_id} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" className={widgetClasses['button']}>
          {words.add}
        </button>
      </form>
    </>
  );
}
