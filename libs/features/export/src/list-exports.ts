import { Query } from '@nestjs/cqrs';
import { query } from '#feature';
import { assertAdministrator, type User } from '#users/model';
import { Directory } from '#people';
import { Site } from '#realm/model';
import { preferencesPart } from '#preferences/model';
import { exportsPart } from './model/exports.part.js';
import { ExportLinks } from './export-links.js';
import { type WireExport, wireExports } from './wire-export.js';

/** All exports (endpoints.md §12, GET /export/realm). @throws Refusal UNAUTHORIZED_PRINCIPAL */
export class ListExportsQuery extends Query<readonly WireExport[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

export const listExports = query(
  ListExportsQuery,
  { directory: Directory, links: ExportLinks, site: Site },
  ({ viewer }, { directory, links, site }) => {
    assertAdministrator(viewer);
    return wireExports(directory.of(exportsPart), links, site);
  },
);

/** Who allows exports of what only they may read (endpoints.md §12). @throws Refusal UNAUTHORIZED_PRINCIPAL */
export class ListConsentsQuery extends Query<readonly { readonly user_id: number; readonly consented: boolean }[]> {
  constructor(readonly viewer: User) {
    super();
  }
}

export const listConsents = query(ListConsentsQuery, { directory: Directory }, ({ viewer }, { directory }) => {
  assertAdministrator(viewer);
  const people = [...directory.users()].filter(({ isActive, botType }) => isActive && botType === null);
  return people.map(({ userId }) => ({ user_id: userId, consented: hasConsented(directory, userId) }));
});

/** Whether the user allows exports of what only they may read. */
export function hasConsented(directory: Directory, userId: number): boolean {
  return directory.of(preferencesPart).setting(userId, 'allow_private_data_export');
}
