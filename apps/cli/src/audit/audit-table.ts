import { timeOf } from '../table.js';
import type { AuditRow } from './audit-client.js';

/** Fields that every line of the table shows by itself, or that only the JSON shows. */
const APART = new Set(['type', 'at', 'actor', 'position', 'stream', 'revision', 'event', 'diff', 'rendered']);
const TYPE_WIDTH = 14;
const ACTOR_WIDTH = 20;

/** How words are marked: on a terminal in colours, elsewhere by signs. */
interface Marks {
  readonly faint: (text: string) => string;
  readonly deleted: (text: string) => string;
  readonly inserted: (text: string) => string;
}

const colour = (code: string) => (text: string) => (text === '' ? '' : `\u001b[${code}m${text}\u001b[0m`);
const COLOURS: Marks = { faint: colour('2'), deleted: colour('9;31'), inserted: colour('4;32') };
const signs = (open: string, close: string) => (text: string) => (text === '' ? '' : `${open}${text}${close}`);
const PLAIN: Marks = { faint: (text) => text, deleted: signs('[-', '-]'), inserted: signs('{+', '+}') };

/** Lines of a table for people: time, who, what, and the rest of the row; below an edit, what changed by words. */
export function tableLines(row: AuditRow, hasColours: boolean): readonly string[] {
  const marks = hasColours ? COLOURS : PLAIN;
  const time = row.at === undefined ? '' : timeOf(row.at);
  const head = `${marks.faint(time)}  ${actorText(row['actor']).padEnd(ACTOR_WIDTH)}  ${row.type.padEnd(TYPE_WIDTH)}`;
  const rest = Object.entries(row)
    .filter(([name, value]) => !APART.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${marks.faint(`${name}=`)}${valueText(value)}`);
  const line = `${head}  ${rest.join('  ')}`.trimEnd();
  const { diff } = row;
  return Array.isArray(diff)
    ? [
        line,
        ...diffText(diff as Change[], marks)
          .split('\n')
          .map((text) => `    ${text}`),
      ]
    : [line];
}

type Change = { readonly kept: string } | { readonly deleted: string; readonly inserted: string };

function diffText(changes: readonly Change[], marks: Marks): string {
  return printable(
    changes
      .map((change) =>
        'kept' in change
          ? quiet(change.kept)
          : `${marks.deleted(quiet(change.deleted))}${marks.inserted(quiet(change.inserted))}`,
      )
      .join(''),
    true,
  );
}

interface ActorLike {
  readonly kind?: string;
  readonly name?: string;
  readonly user_id?: number;
}

function actorText(actor: unknown): string {
  const { kind = '', name, user_id: id } = (actor ?? {}) as ActorLike;
  if (id === undefined) return kind;
  return printable(name === undefined ? `user ${id}` : `${name} (${id})`);
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return /^[\w.:@-]+$/.test(value) ? value : printable(JSON.stringify(value));
  if (typeof value !== 'object' || value === null) return String(value);
  const { name, user_id: id } = value as ActorLike;
  if (id !== undefined) return printable(name === undefined ? `user ${id}` : `${name} (${id})`);
  return printable(JSON.stringify(value));
}

/** Content may hold sequences that a terminal obeys. */
function quiet(text: string): string {
  return text.replaceAll('\u001b', '\ufffd');
}

function printable(text: string, keepsColours = false): string {
  const isKept = (sign: string): boolean => keepsColours && (sign === '\n' || sign === '\u001b');
  return text.replaceAll(/\p{Cc}/gu, (sign) => (isKept(sign) ? sign : '\ufffd'));
}
