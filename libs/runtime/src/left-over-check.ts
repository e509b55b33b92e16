import { nameBeside } from '#read-store';
import type { Check } from './check.js';

const MIB = 1024 ** 2;

/**
 * Collections that no projection of the release keeps: a former release did. The operator may go back to it, so they stay until the
 * operator removes them.
 * @param sizes bytes of the collections by name, and of what is built beside them
 * @param declared names of the release's own
 */
export function leftOverChecks(
  sizes: ReadonlyMap<string, number> | undefined,
  declared: ReadonlySet<string>,
): readonly Check[] {
  const leftOver = [...(sizes ?? [])].filter(([name]) => !declared.has(nameBeside(name)));
  if (leftOver.length === 0) return [];
  const bytes = leftOver.reduce((sum, [, size]) => sum + size, 0);
  const names = leftOver.map(([name]) => name).sort();
  const text =
    `Nothing in this release keeps ${names.join(', ')} (${Math.ceil(bytes / MIB)} MiB): a former one did. ` +
    '`projections prune` removes them.';
  return [{ name: 'read models', state: 'warning', text }];
}
