import type { CollectionSchema, Key } from '../read-store.js';
import { declaredValue } from '../schema.js';

/** A document as stored in a collection. */
export interface StoredDocument {
  readonly _id: Key;
  /** Position of the last write; writes with an older position are ignored. */
  readonly p: number;
  /** Content of the document, with field names escaped. Missing when it was removed (see `gone`). */
  readonly d?: EncodedObject;
  /** Declared fields whose number in `d` stands for a boolean. */
  readonly b?: readonly string[];
  /** Index of its words (see `WordField`). */
  readonly w?: readonly string[];
  /** Time of its removal, in ms since 1970. The tombstone is kept for a while, so that a late, older write finds it. */
  readonly gone?: number;
}

export type Content = Pick<StoredDocument, 'd' | 'b' | 'w'>;

export type EncodedObject = Record<string, unknown>;

/** First character of escaped names. */
const MARK = '~';
/** The only name in an object that stands for ill-formed text. No field's name is encoded as this. */
const ILL_FORMED = '~%';
/** The only name in an object that stands for a list directly inside a list, which not every server can hold. */
const LIST = '~[';
/** Names that the server, the driver or JavaScript would misinterpret. */
const SPECIAL_NAME = /^$|^[$~]|[.\0\p{Surrogate}]|^_bsontype$|^__proto__$|^toBSON$/u;
const UNSAFE_IN_NAMES = /[%$.\0\p{Surrogate}]/gu;
const ESCAPE = /%([0-9a-f]{4})/g;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Stored form of a field's name: nearly always the name itself. */
export function encodeName(name: string): string {
  if (!SPECIAL_NAME.test(name)) return name;
  return MARK + name.replace(UNSAFE_IN_NAMES, (char) => `%${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function decodeName(name: string): string {
  if (!name.startsWith(MARK)) return name;
  return name.slice(1).replace(ESCAPE, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/**
 * Encodes a document without its key and position. It is decoded as JSON would return it.
 * @throws TypeError when a declared field has a value of another type
 */
export function encodeDocument(schema: CollectionSchema, doc: object): Content {
  const d = encodeObject(doc);
  const booleans: string[] = [];
  for (const [field, type] of Object.entries(schema.fields)) {
    const name = encodeName(field);
    const value = d[name];
    const indexed = declaredValue(schema, field, type, (doc as EncodedObject)[field]);
    if (typeof value !== 'boolean') continue;
    d[name] = indexed;
    booleans.push(name);
  }
  for (const [field, type] of Object.entries(schema.many ?? {})) checkList(schema, field, type, d[encodeName(field)]);
  return {
    d,
    ...(booleans.length > 0 && { b: booleans }),
    ...(schema.words !== undefined && { w: [...new Set(schema.words.of(doc as EncodedObject))] }),
  };
}

export function decodeDocument({ d = {}, b = [] }: Content): object {
  // The document from the driver has no other owner, so it is changed in place.
  for (const name of b) d[name] = d[name] === 1;
  return decodeObject(d);
}

function checkList(schema: CollectionSchema, field: string, type: 'integer' | 'text', list: unknown): void {
  if (list === undefined || list === null) return;
  if (!Array.isArray(list)) throw new TypeError(`The field ${field} of ${schema.name} is declared a list.`);
  for (const value of list as unknown[]) declaredValue(schema, field, type, value);
}

function encodeObject(object: object): EncodedObject {
  const encoded: EncodedObject = {};
  for (const [name, value] of Object.entries(object)) {
    const plain = encodeValue(value, name);
    if (plain !== undefined) encoded[encodeName(name)] = plain;
  }
  return encoded;
}

/** Encodes like JSON: what JSON omits is undefined. */
function encodeValue(value: unknown, name: string): unknown {
  switch (typeof value) {
    case 'string':
      return LONE_SURROGATE.test(value) ? { [ILL_FORMED]: Buffer.from(value, 'utf16le').toString('base64') } : value;
    case 'number':
      // JSON keeps neither infinities nor a negative zero.
      return Number.isFinite(value) ? value + 0 : null;
    case 'boolean':
      return value;
    case 'object':
      return value === null ? null : encodeStructure(value, name);
    case 'bigint':
      throw new TypeError('A document contains a bigint, which JSON cannot represent.');
    default:
      return undefined;
  }
}

function encodeStructure(value: object, name: string): unknown {
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return encodeValue((value.toJSON as (name: string) => unknown)(name), name);
  }
  if (Array.isArray(value)) return value.map(encodeItem);
  return encodeObject(value);
}

function encodeItem(item: unknown, index: number): unknown {
  const plain = encodeValue(item, String(index)) ?? null;
  return Array.isArray(plain) ? { [LIST]: plain } : plain;
}

function decodeObject(object: EncodedObject): object {
  const names = Object.keys(object);
  if (names.some((name) => name.startsWith(MARK))) return decodeRenamed(object);
  for (const name of names) {
    const value = object[name];
    if (typeof value === 'object') object[name] = decodeValue(value);
  }
  return object;
}

/** Builds an object with escaped names anew, so that its fields keep their order. */
function decodeRenamed(object: EncodedObject): object {
  const decoded: EncodedObject = {};
  for (const [name, value] of Object.entries(object)) {
    // An assignment to __proto__ would not create a field.
    Object.defineProperty(decoded, decodeName(name), {
      value: decodeValue(value),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return decoded;
}

function decodeValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const list: unknown[] = value;
    list.forEach((item, index) => {
      if (typeof item === 'object') list[index] = decodeValue(item);
    });
    return list;
  }
  const object = value as EncodedObject;
  const text = object[ILL_FORMED];
  if (Array.isArray(object[LIST])) return decodeValue(object[LIST]);
  if (typeof text === 'string') return Buffer.from(text, 'base64').toString('utf16le');
  return decodeObject(object);
}
