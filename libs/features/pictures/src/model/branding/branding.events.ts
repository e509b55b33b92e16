import { Type } from 'typebox';
import { organizationEvent } from '#directory';
import { exactly, type EventOf } from '#event-store';

const Id = Type.Integer({ minimum: 1 });

/** The organization has another icon or logo. */
export const brandingChanged = organizationEvent(
  'organization.branding-changed.v1',
  exactly({
    kind: Type.Union([Type.Literal('icon'), Type.Literal('logo'), Type.Literal('night_logo')]),
    /** null for the server's own. */
    picture: Type.Union([
      exactly({
        /** Hexadecimal digits, new with each picture: the name in its address. */
        name: Type.String({ pattern: '^[0-9a-f]{40}$' }),
        /** SHA-256 of the PNG image in the store of files, hexadecimal. */
        image: Type.String({ pattern: '^[0-9a-f]{64}$' }),
      }),
      Type.Null(),
    ]),
    version: Type.Integer({ minimum: 2 }),
    by: Id,
    at: Type.Integer(),
  }),
);

export const brandingEventTypes = [brandingChanged] as const;

export type BrandingChanged = EventOf<typeof brandingChanged>;
