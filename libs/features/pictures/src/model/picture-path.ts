import { REALM_ID } from '#wire';

/** Address of a picture of the organization, relative to the server's (endpoints.md §2). */
export function picturePath(name: string): string {
  return `/user_avatars/${REALM_ID}/${name}`;
}
