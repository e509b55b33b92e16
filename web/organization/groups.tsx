import { type ReactNode, useState } from 'react';
import type { State } from '#client';
import { useChatState, useModel } from '../chat/model/hooks.js';
import { personName } from '../chat/places.js';
import { byName } from '../shared/order.js';
import { call } from '../shared/api.js';
import { organizationWords as words } from '../shared/en-organization.js';
import { widgetClasses } from '../shared/widgets.js';
import { useConfirming } from '../settings/confirming.js';
import { GroupField, type GroupSetting, isHolder, supportedSettings } from '../settings/group-field.js';
import { paneClasses as classes, Part } from '../settings/panes.js';
import { PersonPicker } from '../settings/person-picker.js';
import { Told, useSaving } from '../settings/saving.js';
import { NewName } from './new-name.js';
import { TextField } from '../settings/setting-field.js';

type Group = NonNullable<ReturnType<NonNullable<State['groups']>['get']>>;

/** Groups that people have made: members, permissions, deactivation. */
export function Groups(): ReactNode {
  const model = useModel();
  const own = [...(model.groups?.values() ?? [])]
    .filter((group) => group['is_system_group'] !== true)
    .sort((a, b) => byName(a.name, b.name));
  return (
    <>
      {own.length === 0 && <p className={classes['row']}>{words.groupsNone}</p>}
      {own.map((group) => (
        <GroupPart key={group.id} group={group} model={model} />
      ))}
      <NewGroup />
    </>
  );
}

/** Its parts are drawn when it is opened: a group has as many lists of groups as permissions. */
function GroupPart({ group, model }: { readonly group: Group; readonly model: State }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes['details']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {group.name}{' '}
        <span className={classes['hint']}>
          {group['deactivated'] === true ? words.formerPeople : words.membersOf(group.members.length)}
        </span>
      </summary>
      {isOpen && <GroupDetails group={group} model={model} />}
    </details>
  );
}

function GroupDetails({ group, model }: { readonly group: Group; readonly model: State }): ReactNode {
  const { id, name } = group;
  const { phase, run } = useSaving();
  const [ask, dialog] = useConfirming();
  const isDeactivated = group['deactivated'] === true;
  const mayManage =
    model.fields.is_admin === true || isHolder(model, group['can_manage_group'] as GroupSetting, model.self);
  const because = mayManage ? undefined : words.onlyManagers;
  const change = (params: Readonly<Record<string, unknown>>): Promise<unknown> =>
    call('PATCH', `/user_groups/${id}`, params);
  const deactivate = (): void =>
    ask({
      title: words.deactivate,
      text: words.groupDeactivateSure(name),
      act: () => void run(() => call('POST', `/user_groups/${id}/deactivate`)),
    });
  return (
    <>
      <TextField
        label={words.groupName}
        value={name}
        lengthMax={100}
        because={because}
        save={(next) => change({ name: next })}
      />
      <TextField
        label={words.description}
        value={group['description'] as string}
        lengthMax={1024}
        because={because}
        save={(next) => change({ description: next })}
      />
      <Members group={group} run={run} />
      {Object.entries(supportedSettings(model).group).map(([setting, supported]) => (
        <GroupField
          key={setting}
          label={words.groupPermissions[setting] ?? setting}
          supported={supported}
          value={group[setting] as GroupSetting}
          because={because}
          save={(value) => change({ [setting]: value })}
        />
      ))}
      {mayManage && (
        <p style={{ marginBlockStart: 12 }}>
          <button
            type="button"
            className={widgetClasses['button']}
            aria-label={isDeactivated ? words.reactivateOf(name) : words.deactivateOf(name)}
            onClick={isDeactivated ? () => void run(() => change({ deactivated: false })) : deactivate}
          >
            {isDeactivated ? words.reactivate : words.deactivate}
          </button>
        </p>
      )}
      {phase.kind === 'refused' && <Told phase={phase} />}
      {dialog}
    </>
  );
}

function Members(props: { readonly group: Group; readonly run: (work: () => Promise<unknown>) => unknown }): ReactNode {
  const { group, run } = props;
  const state = useChatState();
  const change = (params: Readonly<Record<string, unknown>>): void => {
    void run(() => call('POST', `/user_groups/${group.id}/members`, params));
  };
  return (
    <Part title={words.groupMembers}>
      {group.members.length === 0 && <p className={classes['row']}>{words.groupNoMembers}</p>}
      <ul>
        {group.members.map((id) => {
          const name = personName(state, id);
          return (
            <li key={id} className={classes['row']}>
              <span className={classes['grow']}>{name}</span>
              <button
                type="button"
                className={widgetClasses['button']}
                aria-label={words.removePerson(name)}
                onClick={() => change({ delete: [id] })}
              >
                {words.remove}
              </button>
            </li>
          );
        })}
      </ul>
      <PersonPicker label={words.addPerson} excluded={group.members} choose={(id) => change({ add: [id] })} />
    </Part>
  );
}

function NewGroup(): ReactNode {
  const { phase, run } = useSaving();
  const { self } = useModel();
  return (
    <Part title={words.newGroup}>
      <NewName
        label={words.name}
        create={(name) => run(() => call('POST', '/user_groups/create', { name, description: '', members: [self] }))}
      />
      <Told phase={phase} />
    </Part>
  );
}
