import { defineFeature } from '#feature';
import { DraftClientEvents } from './drafts/drafts.client-events.js';
import { draftEventTypes } from './drafts/drafts.events.js';
import { DraftFields } from './drafts/drafts.fields.js';
import { draftsProjection } from './drafts/drafts.projection.js';
import { PlansModule } from './plans.module.js';
import { SnippetClientEvents } from './snippets/snippets.client-events.js';
import { snippetEventTypes } from './snippets/snippets.events.js';
import { SnippetFields } from './snippets/snippets.fields.js';
import { snippetsProjection } from './snippets/snippets.projection.js';
import { ViewClientEvents } from './views/views.client-events.js';
import { viewEventTypes } from './views/views.events.js';
import { ViewFields } from './views/views.fields.js';
import { viewsProjection } from './views/views.projection.js';

/** Private data that users store on the server: drafts, saved snippets, navigation views. */
export const plans = defineFeature({
  name: 'plans',
  events: [...draftEventTypes, ...snippetEventTypes, ...viewEventTypes],
  projections: [draftsProjection, snippetsProjection, viewsProjection],
  clientEvents: [DraftClientEvents, SnippetClientEvents, ViewClientEvents],
  followUps: ['user-settings.changed.v1'],
  register: [DraftFields, SnippetFields, ViewFields],
  module: PlansModule,
});
