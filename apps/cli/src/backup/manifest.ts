import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { writeDurably } from './durable-file.js';

/** Version of the layout of a backup. A reader refuses others. */
const BACKUP_FORMAT = 'scrollback-backup-1';
export const MANIFEST = 'manifest.json';
/** Some 400 bytes for each part of the log: more than any log needs. */
const MANIFEST_BYTES_MAX = 256 * 1024 * 1024;
/** A part is closed when it has an eighth of it; one event may be as large as a store allows. */
export const PART_TEXT_BYTES_MAX = 64 * 1024 * 1024;

/** Something in a backup is damaged, missing, or not what a backup has. */
export class BackupProblem extends Error {
  constructor(name: string, reason: string, options?: ErrorOptions) {
    super(`${name}: ${reason}`, options);
    this.name = 'BackupProblem';
  }
}

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Bytes = Type.Integer({ minimum: 1, maximum: PART_TEXT_BYTES_MAX });
const exact = { additionalProperties: false };

/** An event at one end of a part: its position in the log that was backed up, and when it was recorded. */
const Place = Type.Object({ position: Count, recorded_at: Type.String({ maxLength: 40 }) }, exact);

const Part = Type.Object(
  {
    /** The only file names that a manifest can name: what else it says is refused. */
    name: Type.String({ pattern: '^log/[0-9]{16}-[0-9]{16}\\.jsonl\\.gz$' }),
    bytes: Bytes,
    /** Uncompressed. */
    text_bytes: Bytes,
    sha256: Hash,
    events: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    first: Place,
    last: Place,
    /** Hash of the part's entry and of all entries before it: a part cannot be left out or swapped. */
    chain: Hash,
  },
  exact,
);

const Secret = Type.Object(
  { name: Type.Union([Type.Literal('secret.key'), Type.Literal('operator.token')]), sha256: Hash },
  exact,
);

const ManifestSchema = Type.Object(
  {
    format: Type.Literal(BACKUP_FORMAT),
    /** Release that wrote it last. */
    server_version: Type.String({ maxLength: 100 }),
    /** Where the log was: in a file, where positions count events, or on a server. */
    log: Type.Union([Type.Literal('file'), Type.Literal('server')]),
    /** When log and files were last complete; null before the first time. */
    complete_at: Type.Union([Type.String({ maxLength: 40 }), Type.Null()]),
    events: Count,
    /** Of the last event. */
    position: Count,
    /** Where the log goes on: a checkpoint of its store. */
    checkpoint: Type.Union([Type.String({ maxLength: 200 }), Type.Null()]),
    /** Position up to which the content that events name is in the backup. */
    files_position: Count,
    secrets: Type.Array(Secret, { maxItems: 2 }),
    parts: Type.Array(Part),
    /** Of all of the above. */
    digest: Hash,
  },
  exact,
);

/** The table of contents of a backup. */
export type Manifest = Static<typeof ManifestSchema>;
export type BackupPart = Manifest['parts'][number];
export type BackedUpSecret = Manifest['secrets'][number];

const check = Compile(ManifestSchema);

export function emptyManifest(log: Manifest['log'], version: string): Manifest {
  return {
    format: BACKUP_FORMAT,
    server_version: version,
    log,
    complete_at: null,
    events: 0,
    position: 0,
    checkpoint: null,
    files_position: 0,
    secrets: [],
    parts: [],
    digest: '',
  };
}

/** Appends a part, after removing those that it replaces. */
export function withPart(manifest: Manifest, part: Omit<BackupPart, 'chain'>): Manifest {
  const kept = manifest.parts.filter(({ last }) => last.position < part.first.position);
  const parts = [...kept, { ...part, chain: chainOf(kept.at(-1), part) }];
  const events = parts.reduce((sum, { events: count }) => sum + count, 0);
  return { ...manifest, parts, events, position: part.last.position };
}

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify({ ...manifest, digest: digestOf(manifest) }, undefined, 1);
  await writeDurably(join(folder, MANIFEST), Buffer.from(`${text}\n`));
}

/** @throws BackupProblem */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = (await readWhole(folder, MANIFEST, MANIFEST_BYTES_MAX)).toString();
  const manifest = parsed(text);
  if (!check.Check(manifest)) {
    const format = (manifest as { format?: unknown } | null)?.format;
    if (typeof format === 'string' && format !== BACKUP_FORMAT)
      throw new BackupProblem(MANIFEST, `its format is ${format.slice(0, 100)}; this version reads ${BACKUP_FORMAT}.`);
    const [, [first]] = check.Errors(manifest);
    throw new BackupProblem(MANIFEST, `${first?.instancePath ?? ''} ${first?.message ?? 'it is malformed'}.`);
  }
  if (digestOf(manifest) !== manifest.digest) throw new BackupProblem(MANIFEST, 'it was changed: its digest differs.');
  assertChained(manifest);
  return manifest;
}

function assertChained({ parts, events, position }: Manifest): void {
  let before: BackupPart | undefined;
  let count = 0;
  for (const part of parts) {
    if (part.chain !== chainOf(before, part))
      throw new BackupProblem(part.name, 'it does not follow the part before it.');
    if (part.first.position <= (before?.last.position ?? 0) || part.last.position < part.first.position)
      throw new BackupProblem(part.name, 'its positions do not follow those before it.');
    before = part;
    count += part.events;
  }
  if (count !== events || position !== (before?.last.position ?? 0))
    throw new BackupProblem(MANIFEST, 'its parts are not all that it tells of.');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new BackupProblem(MANIFEST, 'it is no JSON.');
  }
}

function chainOf(before: BackupPart | undefined, part: Omit<BackupPart, 'chain'>): string {
  const { name, bytes, text_bytes, sha256, events, first, last } = part;
  const entry = JSON.stringify([
    before?.chain ?? '',
    [name, bytes, text_bytes, sha256, events],
    [first.position, first.recorded_at, last.position, last.recorded_at],
  ]);
  return sha256Of(entry);
}

/** Parts are in it by the last link of their chain. */
function digestOf({ parts, ...rest }: Manifest): string {
  const names = Object.keys(rest)
    .filter((name) => name !== 'digest')
    .sort() as (keyof typeof rest)[];
  return sha256Of(JSON.stringify([names.map((name) => [name, rest[name]]), parts.at(-1)?.chain ?? '']));
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * Reads a file of a backup; one that is a link is not followed.
 * @throws BackupProblem when it is missing, no file, or larger than it may be
 */
export async function readWhole(folder: string, name: string, bytesMax: number): Promise<Buffer> {
  const file = await open(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    const cause = { cause: error };
    if (code !== 'ENOENT') throw new BackupProblem(name, `it cannot be read: ${String(code)}.`, cause);
    if (name === MANIFEST) throw new BackupProblem(folder, `it is no backup: there is no ${MANIFEST}.`, cause);
    throw new BackupProblem(name, 'it is missing.', cause);
  });
  try {
    const found: Stats = await file.stat();
    if (!found.isFile()) throw new BackupProblem(name, 'it is no file.');
    if (found.size > bytesMax) throw new BackupProblem(name, `it has ${found.size} bytes, more than it may have.`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
