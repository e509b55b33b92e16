import { Type } from 'typebox';
import { json, Param, Shape } from '#http';
import { DIRECT_RECIPIENTS_MAX } from '#messages';
import type { WrittenDraft } from './accept-draft.js';
import { TIMESTAMP_MAX } from '../timestamps.js';
import { DRAFTS_MAX } from './drafts.decider.js';

const Draft = Type.Object(
  {
    type: Type.Union([Type.Literal(''), Type.Literal('stream'), Type.Literal('private')]),
    to: Type.Array(Type.Integer(), { maxItems: DIRECT_RECIPIENTS_MAX }),
    topic: Type.String(),
    content: Type.String(),
    timestamp: Type.Optional(Type.Number({ maximum: TIMESTAMP_MAX })),
  },
  { additionalProperties: false },
);

export class AddDraftsParams {
  @Param(json(), { default: [], description: 'Drafts to create: all of them or none.' })
  @Shape(Type.Array(Draft, { maxItems: DRAFTS_MAX }))
  drafts!: readonly WrittenDraft[];
}

export class ChangeDraftParams {
  @Param(json(), { description: 'The draft as it is from now on.' })
  @Shape(Draft)
  draft!: WrittenDraft;
}
