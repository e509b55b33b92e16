/** A JSON value. Events, documents and wire payloads consist of them. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

/** A piece of JSON text: a string, its bytes, or what makes it when it is written, for answers that are too large to be kept. */
export type JsonPiece = string | Uint8Array | (() => string);
