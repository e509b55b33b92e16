import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { S3Server } from '#testing';

/** Where a server under test keeps the content of files. */
export interface FileStorage {
  /** Settings that select it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where content lies on this machine. */
  readonly folder: string;
  /** Names of all content, in order, and of what belongs to uploads that are not complete. */
  names(): string[];
  /** Names of what belongs to uploads that are not complete. */
  incomplete(): string[];
  stop(): Promise<void>;
}

/** TEST_FILES=s3 keeps content on an S3 server of its own instead of in the data directory (needs S3_SERVER_BIN). */
export function openFileStorage(dataDir: string): Promise<FileStorage> {
  return process.env['TEST_FILES'] === 's3' ? onS3(dataDir) : Promise.resolve(onDisk(dataDir));
}

function onDisk(dataDir: string): FileStorage {
  const incomplete = (): string[] => namesBelow(join(dataDir, 'uploads', '.incoming'));
  return {
    environment: {},
    folder: join(dataDir, 'uploads'),
    names: () => namesBelow(join(dataDir, 'uploads')),
    incomplete,
    stop: () => Promise.resolve(),
  };
}

async function onS3(dataDir: string): Promise<FileStorage> {
  const server = new S3Server();
  await server.start();
  const url = server.freshUrl();
  const incomplete = (): string[] => [...namesBelow(join(dataDir, 'incoming')), ...server.incompleteUploads(url)];
  return {
    environment: { UPLOADS_URL: url },
    folder: server.folderOf(url),
    names: () => [...server.keys(url), ...incomplete()].sort(),
    incomplete,
    stop: () => server.stop(),
  };
}

function namesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
}
