import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { JsonObject } from '#kernel';
import { assertAdministrator, Directory, Site, type User } from '#organization';
import { ExportLinks } from './export-links.js';
import { wireExports } from './wire-export.js';

/** All exports (endpoints.md §12, GET /export/realm). @throws Refusal UNAUTHORIZED_PRINCIPAL */
export class ListExportsQuery extends Query<readonly JsonObject[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

@QueryHandler(ListExportsQuery)
export class ListExportsHandler implements IQueryHandler<ListExportsQuery> {
  constructor(
    private readonly directory: Directory,
    private readonly links: ExportLinks,
    private readonly site: Site,
  ) {}

  async execute({ viewer }: ListExportsQuery): Promise<readonly JsonObject[]> {
    await Promise.resolve();
    assertAdministrator(viewer);
    return wireExports(this.directory, this.links, this.site);
  }
}

/** Who allows exports of what only they may read (endpoints.md §12). @throws Refusal UNAUTHORIZED_PRINCIPAL */
export class ListConsentsQuery extends Query<readonly JsonObject[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

@QueryHandler(ListConsentsQuery)
export class ListConsentsHandler implements IQueryHandler<ListConsentsQuery> {
  constructor(private readonly directory: Directory) {}

  async execute({ viewer }: ListConsentsQuery): Promise<readonly JsonObject[]> {
    await Promise.resolve();
    assertAdministrator(viewer);
    const people = [...this.directory.users()].filter(({ isActive, botType }) => isActive && botType === null);
    return people.map(({ userId }) => ({ user_id: userId, consented: hasConsented(this.directory, userId) }));
  }
}

/** Whether the user allows exports of what only they may read. */
export function hasConsented({ preferences }: Directory, userId: number): boolean {
  return preferences.setting(userId, 'allow_private_data_export');
}
