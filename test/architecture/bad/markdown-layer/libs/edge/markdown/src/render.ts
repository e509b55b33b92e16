import { streams } from '#event-store';

export const prefix = streams.prefix;
