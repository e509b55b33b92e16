import type { FileRemoved, FileUploaded } from './file.events.js';

/** An upload whose content is stored. */
export interface UploadFile {
  readonly file: FileUploaded['data'];
  /** Size of all files of the organization. */
  readonly usedBytes: number;
  /** undefined = no limit. */
  readonly quotaBytes: number | undefined;
}

export type RemoveFile = FileRemoved['data'];
