import { streams } from '#event-store';

export const organization = streams.organization;
