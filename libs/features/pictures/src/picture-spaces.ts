/** Names of the spaces of pictures in the store of files. */
export const PICTURE_SPACES = { avatars: 'avatars', emoji: 'emoji', branding: 'branding' } as const;
