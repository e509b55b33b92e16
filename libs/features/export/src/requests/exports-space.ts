/** Where the archives are, in the store of files. */
export const EXPORTS_SPACE = 'exports';
