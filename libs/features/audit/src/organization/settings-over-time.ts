import type { EventOf } from '#event-store';
import { badRequest } from '#kernel';
import type { ChannelChanged } from '#channels/model';
import type { Directory } from '#people';
import type { GroupEvent, GroupSetting } from '#groups/model';
import { USER_SETTINGS } from '#preferences/model';
import { NEW_REALM, type organizationSettingsChanged } from '#realm/model';
import { NOW, type Moment } from '../moment.js';
import { subjects } from '../places/place-row.js';
import { type LogEvent, type Row, rowOf } from '../rows.js';
import type { Changes } from './changes.js';
import { wireHolders } from './parts-as-of.js';
import { recordedRow } from './recorded.js';

type SettingsChanged = EventOf<typeof organizationSettingsChanged>['data'];
type GroupData = { readonly groupId: number; readonly permissions?: Readonly<Record<string, GroupSetting>> };

/** Of settings with which new users begin. */
const USER_DEFAULT = 'user_settings_defaults.';
const DEFAULTS: Readonly<Record<string, unknown>> = {
  ...NEW_REALM.settings,
  ...Object.fromEntries(Object.entries(USER_SETTINGS).map(([name, value]) => [USER_DEFAULT + name, value])),
};
const HOLDERS: Readonly<Record<string, GroupSetting>> = NEW_REALM.permissions;

/** Who changed settings and permissions, from what to what. The earlier values are those of the events before. */
export class SettingsOverTime {
  constructor(
    private readonly directory: Directory,
    private readonly changes: Changes,
  ) {}

  /**
   * Changes of one setting, permission or list of the organization up to a moment.
   * @throws Refusal BAD_REQUEST
   */
  async *setting(name: string, moment: Moment): AsyncGenerator<Row, void, void> {
    const isPermission = Object.hasOwn(HOLDERS, name);
    let before: unknown = isPermission ? wireHolders(HOLDERS[name]) : DEFAULTS[name];
    let isKnown = isPermission || Object.hasOwn(DEFAULTS, name);
    for await (const event of this.changes.events(subjects.setting(name), moment, 'up to')) {
      isKnown = true;
      const after = valueAfter(event, name);
      if (after === undefined) yield recordedRow(this.directory, event, { setting: name });
      else {
        yield rowOf(this.directory, event, 'setting', { setting: name, from: before, to: after.value });
        before = after.value;
      }
    }
    if (!isKnown && (await this.changes.last(subjects.setting(name), NOW)) === undefined)
      throw badRequest(`There is no setting with the name '${name}', or it was never changed.`);
  }

  /** Changes of all permissions and roles up to a moment. */
  async *permissions(moment: Moment): AsyncGenerator<Row, void, void> {
    const holders = new Map<string, GroupSetting>(Object.entries(HOLDERS));
    const ofGroups = new Map<number, Map<string, GroupSetting>>();
    for await (const event of this.changes.events(subjects.permissions, moment, 'up to')) {
      const row = (of: object, permission: string, from: unknown, to: unknown): Row =>
        rowOf(this.directory, event, 'permission', { ...of, permission, from, to });
      switch (event.type) {
        case 'organization.settings-changed.v1':
          for (const [name, to] of Object.entries((event.data as SettingsChanged).permissions ?? {})) {
            yield row({ of: 'organization' }, name, wireHolders(holders.get(name)), wireHolders(to));
            holders.set(name, to);
          }
          break;
        case 'channel.changed.v1': {
          const { channelId, permissions = {} } = event.data as ChannelChanged['data'];
          const of = { of: 'channel', channel_id: channelId, channel: this.directory.channel(channelId)?.name };
          for (const [name, { from, to }] of Object.entries(permissions))
            yield row(of, name, wireHolders(from), wireHolders(to));
          break;
        }
        case 'group.changed.v1': {
          const { groupId, permissions = {} } = event.data as GroupData;
          const known = ofGroups.get(groupId) ?? (await this.#first(groupId));
          ofGroups.set(groupId, known);
          const of = { of: 'group', group_id: groupId, group: this.directory.group(groupId)?.name };
          for (const [name, to] of Object.entries(permissions)) {
            yield row(of, name, wireHolders(known.get(name)), wireHolders(to));
            known.set(name, to);
          }
          break;
        }
        default: {
          const { userId, role } = event.data as { userId: number; role?: number | { from: number; to: number } };
          const of = { of: 'user', user_id: userId, name: this.directory.user(userId)?.fullName };
          if (typeof role === 'number') yield row(of, 'role', undefined, role);
          else if (role !== undefined) yield row(of, 'role', role.from, role.to);
        }
      }
    }
  }

  /** The permissions with which a group was created. */
  async #first(groupId: number): Promise<Map<string, GroupSetting>> {
    for await (const event of this.changes.events(subjects.group(groupId), NOW, 'up to')) {
      const { permissions } = event.data as Extract<GroupEvent, { type: 'group.created.v1' }>['data'];
      return new Map(Object.entries(permissions));
    }
    return new Map();
  }
}

/** The value that the event gave to the setting; undefined for an event of a list. */
function valueAfter({ type, data }: LogEvent, name: string): { readonly value: unknown } | undefined {
  if (type === 'organization.created.v1')
    return name === 'name' ? { value: (data as { name: string }).name } : undefined;
  const { settings, permissions } = data as {
    settings?: Record<string, unknown>;
    permissions?: SettingsChanged['permissions'];
  };
  if (type === 'organization.user-defaults-changed.v1') return { value: settings?.[name.replace(USER_DEFAULT, '')] };
  if (type !== 'organization.settings-changed.v1') return undefined;
  const holders = permissions?.[name];
  return { value: holders === undefined ? settings?.[name] : wireHolders(holders) };
}
