import type { Directory } from '#people';
import type { User } from '#users/model';
import { preferencesPart } from '#preferences/model';

/** Whether the user wants drafts to be kept on the server: their setting `enable_drafts_synchronization`. */
export function synchronizesDrafts(directory: Directory, { userId }: User): boolean {
  return directory.of(preferencesPart).settings(userId).enable_drafts_synchronization;
}
