/**
 * What both browsers and Node 20 have, as far as the library uses it: it is built without the types of either, so that nothing
 * else gets in.
 */
declare function setTimeout(work: () => void, ms: number): unknown;
declare function clearTimeout(timer: unknown): void;
declare function queueMicrotask(work: () => void): void;
declare function btoa(text: string): string;
declare const crypto: { getRandomValues(bytes: Uint8Array): Uint8Array };

declare class URLSearchParams {
  constructor(pairs: readonly (readonly [name: string, value: string])[]);
  toString(): string;
}

declare class TextEncoder {
  encode(text: string): Uint8Array;
}

interface AbortSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}
declare const AbortSignal: {
  any(signals: readonly AbortSignal[]): AbortSignal;
  timeout(ms: number): AbortSignal;
};
declare class AbortController {
  readonly signal: AbortSignal;
  abort(): void;
}

declare function fetch(
  address: string,
  init: {
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: URLSearchParams;
    readonly credentials: 'same-origin' | 'omit';
    readonly redirect: 'error';
    readonly signal: AbortSignal;
  },
): Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

/** Content of an upload. */
interface Blob {
  readonly size: number;
}
interface File extends Blob {
  readonly name: string;
}
