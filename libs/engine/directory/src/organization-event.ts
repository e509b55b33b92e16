import { eventType, type EventType } from '#event-store';
import type { TSchema } from 'typebox';

/** Type of an event of the `organization` stream, which a part of the directory must handle. */
export interface OrganizationEventType<
  Name extends string = string,
  Schema extends TSchema = TSchema,
> extends EventType<Name, Schema> {
  readonly isFolded: true;
}

/** An event type of the `organization` stream: a server whose directory has no part that handles it does not start. */
export function organizationEvent<const Name extends string, Schema extends TSchema>(
  name: Name,
  schema: Schema,
): OrganizationEventType<Name, Schema> {
  return { ...eventType(name, schema), isFolded: true };
}

export function isOrganizationEvent(type: EventType): type is OrganizationEventType {
  return 'isFolded' in type;
}
