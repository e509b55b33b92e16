import { badRequest, unreachable } from '#kernel';
import { assertAdministrator } from '#users/model';
import type { ExportCommand, ExportOutcome } from './exports.commands.js';
import type { Export, Exports } from '../model/exports.js';
import type { ExportEvent } from '../model/export.events.js';

/** Exports in a week (rules.md §14). */
const EXPORTS_PER_WEEK = 5;
const WEEK_SECONDS = 7 * 86_400;
/** Larger organizations are exported from the command line, where nobody waits for the disk. */
export const EXPORTED_MESSAGES_MAX = 1_000_000;

interface Organization {
  readonly exports: Exports;
  readonly lastMessageId: number;
}

/** @throws Refusal UNAUTHORIZED_PRINCIPAL, BAD_REQUEST */
export function decideExport(organization: Organization, command: ExportCommand): readonly ExportEvent[] {
  const { actor, at } = command;
  assertAdministrator(actor);
  const by = actor.userId;
  switch (command.type) {
    case 'request-export': {
      assertMayExport(organization, at);
      const exportId = (organization.exports.at(-1)?.exportId ?? 0) + 1;
      return [{ type: 'export.requested.v1', data: { exportId, kind: command.kind, by, at } }];
    }
    case 'delete-export': {
      const { exportId } = command;
      assertDeletable(organization.exports.find((one) => one.exportId === exportId));
      return [{ type: 'export.deleted.v1', data: { exportId, by, at } }];
    }
    default:
      return unreachable(command);
  }
}

/** What the process that made an archive records; nothing when the export has ended before. */
export function decideOutcome(
  exports: Exports,
  exportId: number,
  outcome: ExportOutcome,
  at: number,
): readonly ExportEvent[] {
  if (exports.find((one) => one.exportId === exportId)?.phase !== 'pending') return [];
  if (outcome.type === 'fail') {
    const { reason } = outcome;
    return [{ type: 'export.failed.v1', data: { exportId, ...(reason === undefined ? {} : { reason }), at } }];
  }
  const { hash, bytes } = outcome;
  return [{ type: 'export.finished.v1', data: { exportId, hash, bytes, at } }];
}

function assertMayExport(organization: Organization, at: number): void {
  const recent = organization.exports.filter(({ requestedAt }) => requestedAt > at - WEEK_SECONDS);
  if (recent.length >= EXPORTS_PER_WEEK) throw badRequest('Exceeded rate limit.');
  if (organization.lastMessageId > EXPORTED_MESSAGES_MAX)
    throw badRequest('The organization is too large for this. Please ask the operator of the server for an export.');
}

function assertDeletable(found: Export | undefined): void {
  if (found === undefined) throw badRequest('Invalid data export ID');
  switch (found.phase) {
    case 'pending':
      throw badRequest('Export still in progress');
    case 'failed':
      throw badRequest('Export failed, nothing to delete');
    case 'deleted':
      throw badRequest('Export already deleted');
    case 'ready':
      return;
  }
}
