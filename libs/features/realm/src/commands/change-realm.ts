import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '#event-store';
import { Clock } from '#kernel';
import { Directory, Integrations, wireGroupSetting, type OrganizationEvent, type User } from '#organization';
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

@CommandHandler(ChangeRealmCommand)
export class ChangeRealmHandler implements ICommandHandler<ChangeRealmCommand> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly directory: Directory,
    private readonly integrations: Integrations,
    private readonly clock: Clock,
  ) {}

  async execute({ actor, asked }: ChangeRealmCommand): Promise<ChangedRealm> {
    const at = this.clock.nowSeconds();
    const { integrations } = this;
    const { events } = await this.runner.runOn(this.directory, (directory) => ({
      events: decideRealmChange(directory, { type: 'change-realm', actor, ...asked, integrations, at }),
    }));
    return Object.fromEntries(events.flatMap((event) => Object.entries(this.changedBy(event))));
  }

  private changedBy(event: OrganizationEvent): ChangedRealm {
    if (event.type !== 'organization.settings-changed.v1') return {};
    const { settings = {}, permissions = {} } = event.data;
    const methods = settings.authentication_methods;
    return {
      ...settings,
      ...(methods === undefined ? {} : { authentication_methods: this.integrations.wireLoginMethods(methods) }),
      ...Object.fromEntries(
        Object.entries(permissions).map(([name, value]) => [name, wireGroupSetting(this.directory, value)]),
      ),
    };
  }
}
