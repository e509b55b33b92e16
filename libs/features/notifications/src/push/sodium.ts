import type libsodium from 'libsodium-wrappers';

/** The library, once it is ready. */
export type Sodium = typeof libsodium;

let loaded: Promise<Sodium> | undefined;

/** Loads libsodium at its first use: only servers with a push service need it, and it is a megabyte of WebAssembly. */
export function sodium(): Promise<Sodium> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<Sodium> {
  const { default: library } = await import('libsodium-wrappers');
  await library.ready;
  return library;
}
