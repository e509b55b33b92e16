import { Injectable } from '@nestjs/common';
import {
  ClientEvents,
  type Derivations,
  type FeedEntry,
  type ListOfThen,
  listOfThen,
  noClientEvents,
  type Presentable,
  type Recipient,
  type WholeState,
} from '#feed';
import { Directory } from '#people';
import { ROLE } from '#users/model';
import { Site } from '#realm/model';
import type { PreferencesEvent } from '#preferences/model';
import { ExportLinks } from './export-links.js';
import type { ExportRunning } from './requests/export-run.events.js';
import { wireExports, type exportEventSchemas } from './wire-export.js';
import type { Export } from './model/exports.js';
import type { ExportEvent } from './model/export.events.js';
import { exportsPart } from './model/exports.part.js';
import type { WireEvent } from '#wire';

type Told = WireEvent<typeof exportEventSchemas>;

type SettingsChanged = Extract<PreferencesEvent, { type: 'user-settings.changed.v1' }>;
type Body = { readonly user_id: number; readonly consented: boolean } | ListOfThen<Export>;

/** What administrators are told of exports (events.md §7). The list is sent whole. */
@Injectable()
export class ExportClientEvents extends ClientEvents<Told> {
  override readonly on: Derivations<ExportEvent | ExportRunning | SettingsChanged> = {
    'export.requested.v1': ({ data }, directory) => changed(directory, data.exportId),
    'export.finished.v1': ({ data }, directory) => changed(directory, data.exportId),
    'export.failed.v1': ({ data }, directory) => changed(directory, data.exportId),
    'export.deleted.v1': ({ data }, directory) => changed(directory, data.exportId, data.by),
    'export.running.v1': noClientEvents,
    'user-settings.changed.v1': ({ data: { userId, settings } }, directory) => {
      const consented = settings['allow_private_data_export'];
      if (typeof consented !== 'boolean') return [];
      return toldTo('realm_export_consent', administrators(directory), { user_id: userId, consented });
    },
  };
  override readonly types: ReadonlySet<string> = new Set(['realm_export', 'realm_export_consent']);

  constructor(
    private readonly directory: Directory,
    private readonly links: ExportLinks,
    private readonly site: Site,
  ) {
    super();
  }

  override wholeState({ type }: FeedEntry<Body>): WholeState | undefined {
    return type === 'realm_export' ? { name: type, told: 'last' } : undefined;
  }

  override present({ entry: { body } }: Presentable<Body>, { user }: Recipient): readonly Told[] {
    if (user.role > ROLE.administrator) return [];
    if ('user_id' in body) return [{ type: 'realm_export_consent', ...body }];
    const { state = this.directory.of(exportsPart) } = body;
    return [{ type: 'realm_export', exports: wireExports(state, this.links, this.site) }];
  }
}

/** To the administrator who requested the export, and to the one who deletes it. */
function changed(directory: Directory, exportId: number, deletedBy?: number): readonly FeedEntry<Body>[] {
  const exports = directory.of(exportsPart);
  const requester = exports.find((one) => one.exportId === exportId)?.by;
  const ids = new Set([requester, deletedBy].filter((id) => id !== undefined));
  return toldTo('realm_export', [...ids], listOfThen(exports));
}

function administrators(directory: Directory): number[] {
  return [...directory.users()]
    .filter(({ role, isActive, botType }) => isActive && botType === null && role <= ROLE.administrator)
    .map(({ userId }) => userId);
}

function toldTo(type: string, ids: readonly number[], body: Body): readonly FeedEntry<Body>[] {
  return [{ type, audience: { to: 'users', ids }, body }];
}
