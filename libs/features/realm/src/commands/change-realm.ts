import { Command } from '@nestjs/cqrs';
import { command, inOrganization } from '#feature';
import { Directory, type OrganizationEvent } from '#people';
import { wireGroupSetting } from '#groups/model';
import type { User } from '#users/model';
import { Integrations } from '../model/server/integrations.js';
import type { ChangeRealm } from '../realm.commands.js';
import { decideRealmChange } from '../realm.decider.js';

/** What became different, as `POST /register` shows it, without `realm_`. */
export type ChangedRealm = Readonly<Record<string, unknown>>;

/** Changes settings and permissions of the organization. Resolves when they are in effect. */
export class ChangeRealmCommand extends Command<ChangedRealm> {
  constructor(
    readonly actor: User,
    readonly asked: Pick<ChangeRealm, 'settings' | 'permissions' | 'address'>,
  ) {
    super();
  }
}

export const changeRealm = command(
  ChangeRealmCommand,
  { directory: Directory, integrations: Integrations },
  ({ actor, asked }, { directory, integrations }) =>
    inOrganization((now, at) =>
      decideRealmChange(now, { type: 'change-realm', actor, ...asked, integrations, at }),
    ).answering(({ events }) =>
      Object.fromEntries(events.flatMap((event) => Object.entries(changedBy(event, directory, integrations)))),
    ),
);

function changedBy(event: OrganizationEvent, directory: Directory, integrations: Integrations): ChangedRealm {
  if (event.type !== 'organization.settings-changed.v1') return {};
  const { settings = {}, permissions = {} } = event.data;
  const methods = settings.authentication_methods;
  return {
    ...settings,
    ...(methods === undefined ? {} : { authentication_methods: integrations.wireLoginMethods(methods) }),
    ...Object.fromEntries(
      Object.entries(permissions).map(([name, value]) => [name, wireGroupSetting(directory, value)]),
    ),
  };
}
