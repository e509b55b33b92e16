import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ArchiveProblem } from './archive-problem.js';
import type { ArchiveReader } from './archive-reader.js';

/** Version of the format (docs/export.md). A reader refuses others. */
export const ARCHIVE_FORMAT = 'scrollback-archive-1';
/** The last entry of an archive: one without it was cut off. */
export const MANIFEST = 'manifest.json';

const ENTRIES_MAX = 1_000_000;
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const ManifestSchema = Type.Object({
  format: Type.String({ maxLength: 100 }),
  /** `public`: what all members may read. `consented`: also what those may read who allow it. `whole`: everything. */
  kind: Type.Union([Type.Literal('public'), Type.Literal('consented'), Type.Literal('whole')]),
  /** Names the archive: an import of it can be resumed. */
  id: Type.String({ pattern: '^[0-9a-f-]{36}$' }),
  organization: Type.String({ maxLength: 1_000 }),
  server_version: Type.String({ maxLength: 100 }),
  /** Seconds since the epoch. */
  exported_at: Type.Integer({ minimum: 0, maximum: 253_402_300_799 }),
  /** Number of documents of each kind. */
  counts: Type.Record(Type.String(), Count),
  entries: Type.Array(
    Type.Object({
      name: Type.String({ maxLength: 1_024 }),
      bytes: Count,
      sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    }),
    { maxItems: ENTRIES_MAX },
  ),
});

/** The table of contents. */
export type Manifest = Static<typeof ManifestSchema>;
export type ManifestEntry = Manifest['entries'][number];
export type ArchiveKind = Manifest['kind'];

/** Compiled when first used: servers load this, and few of them read an archive. */
const compile = () => Compile(ManifestSchema);
let validator: ReturnType<typeof compile> | undefined;

/** @throws ArchiveProblem when the archive is of another format, or lacks or adds entries */
export async function readManifest(archive: ArchiveReader): Promise<Manifest> {
  const manifest = await archive.json(MANIFEST);
  validator ??= compile();
  if (!validator.Check(manifest)) {
    const [, [first]] = validator.Errors(manifest);
    throw new ArchiveProblem(MANIFEST, `${first?.instancePath ?? ''} ${first?.message ?? 'it is malformed'}.`);
  }
  if (manifest.format !== ARCHIVE_FORMAT)
    throw new ArchiveProblem(MANIFEST, `its format is ${manifest.format}; this version reads ${ARCHIVE_FORMAT}.`);
  const sizes = new Map(archive.entries().map(({ name, bytes }) => [name, bytes]));
  for (const { name, bytes } of manifest.entries) {
    const found = sizes.get(name);
    if (found === undefined) throw new ArchiveProblem(name, 'it is missing.');
    if (found !== bytes) throw new ArchiveProblem(name, `it has ${found} bytes instead of ${bytes}.`);
    if (!sizes.delete(name)) throw new ArchiveProblem(name, 'the table of contents lists it twice.');
  }
  sizes.delete(MANIFEST);
  const [extra] = sizes.keys();
  if (extra !== undefined) throw new ArchiveProblem(extra, 'the table of contents does not list it.');
  return manifest;
}
