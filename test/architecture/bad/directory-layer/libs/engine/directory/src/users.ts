import { Directory } from '#organization';

export const directory = new Directory();
