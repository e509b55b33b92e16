import { type EventSchemas, truth } from '#wire';

export const zoomEventSchemas = { has_zoom_token: { value: truth } } satisfies EventSchemas;

export const zoomFieldSchemas = { has_zoom_token: truth };
