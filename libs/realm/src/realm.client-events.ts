import { Injectable } from '@nestjs/common';
import type { FactOf, Recorded } from '#event-store';
import { ClientEvents, type ClientEvent, type FeedEntry, type Presentable } from '#feed';
import type { JsonObject } from '#kernel';
import { wireGroupSetting, type organizationSettingsChanged } from '#organization';

type Changed = FactOf<typeof organizationSettingsChanged>;

/** Settings of which clients are told together, in one event (events.md §7). The others have one each. */
const TOLD_TOGETHER: ReadonlySet<string> = new Set([
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'topics_policy',
]);

/** What clients are told of the organization's settings (events.md §7): `realm` update and update_dict. */
@Injectable()
export class RealmClientEvents extends ClientEvents {
  override readonly facts: ReadonlySet<string> = new Set<Changed['type']>(['organization.settings-changed.v1']);
  override readonly types: ReadonlySet<string> = new Set(['realm']);

  override derive(fact: Recorded): readonly FeedEntry[] {
    const { settings = {}, permissions = {} } = fact.data as Changed['data'];
    const together: Record<string, JsonObject[string]> = {};
    const apart: JsonObject[] = [];
    for (const [name, value] of Object.entries(settings)) {
      if (TOLD_TOGETHER.has(name)) together[name] = value;
      else apart.push({ op: 'update', property: name, value });
    }
    // Older clients know these two by another name.
    if (settings.topics_policy !== undefined)
      together['mandatory_topics'] = settings.topics_policy === 'disable_empty_topic';
    if (settings.message_edit_history_visibility_policy !== undefined) {
      const value = settings.message_edit_history_visibility_policy !== 'none';
      apart.push({ op: 'update', property: 'allow_edit_history', value });
    }
    for (const [name, setting] of Object.entries(permissions)) together[name] = wireGroupSetting(setting);
    const bodies =
      Object.keys(together).length === 0
        ? apart
        : [...apart, { op: 'update_dict', property: 'default', data: together }];
    return bodies.map((body) => ({ type: 'realm', audience: { to: 'everyone' }, body }));
  }

  override present({ entry }: Presentable): readonly ClientEvent[] {
    return [{ ...entry.body, type: 'realm' }];
  }
}
