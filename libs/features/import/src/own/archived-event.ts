import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { ArchiveProblem, type Numbered } from '#archive';
import type { EventRegistry, RecordedEvent } from '#event-store';
import type { JsonObject } from '#kernel';

const Event = Type.Object(
  {
    stream: Type.String({ pattern: '^1\\.[A-Za-z0-9-]+$', maxLength: 200 }),
    revision: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
    id: Type.String({ pattern: '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$' }),
    type: Type.String({ maxLength: 200 }),
    data: Type.Record(Type.String(), Type.Unknown()),
    metadata: Type.Record(Type.String(), Type.Unknown()),
    recorded_at: Type.Integer({ minimum: 0, maximum: 253_402_300_799_999 }),
  },
  { additionalProperties: false },
);

const check = Compile(Event);

/** Deeper data would overflow what reads it. */
const DEPTH_MAX = 50;

/** Reads events of an archive, in the newest shape of their type. */
export class ArchivedEventReader {
  #position = 0;

  constructor(private readonly registry: EventRegistry) {}

  /** @throws ArchiveProblem that names the line */
  read(entry: string, { number, value }: Numbered<unknown>): RecordedEvent<object> {
    const refuse = (reason: string): never => {
      throw new ArchiveProblem(entry, `line ${number}: ${reason}`);
    };
    if (!check.Check(value)) {
      const [, [first]] = check.Errors(value);
      return refuse(`${first?.instancePath ?? ''} ${first?.message ?? 'is malformed'}.`);
    }
    const unusable = unusableIn(value.data, DEPTH_MAX) ?? unusableIn(value.metadata, DEPTH_MAX);
    if (unusable !== undefined) return refuse(unusable);
    return { position: ++this.#position, ...this.#lifted(value, refuse) };
  }

  #lifted(event: Static<typeof Event>, refuse: (reason: string) => never): Omit<RecordedEvent<object>, 'position'> {
    const { stream, revision, id, metadata, recorded_at: recordedAtMs } = event;
    try {
      const { type, data } = this.registry.lift(event.type, event.data);
      this.registry.check(type, data);
      return { stream, revision, id, type, data: data as object, metadata: metadata as JsonObject, recordedAtMs };
    } catch (error) {
      return refuse(error instanceof Error ? error.message : String(error));
    }
  }
}

/** Why a value cannot be stored: a number that loses digits, or depth. */
function unusableIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? `the number ${value} is too large.` : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth === 0) return 'it is nested too deeply.';
  for (const item of Object.values(value)) {
    const found = unusableIn(item, depth - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}
