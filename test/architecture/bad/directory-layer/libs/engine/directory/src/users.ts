import { Directory } from '#people';

export const directory = new Directory();
