export { type Addition, type ContentSource, defineFeature, type Feature, type OwnedContent } from './feature.js';
export { FeatureSet } from './feature-set.js';
export { CachedRuns } from './cached-runs.js';
export { fieldText, JsonFields } from './json-fields.js';
export { readerProvider } from './reader-provider.js';
export { can, type PreparedFields, type RegisterContext, RegisterFields, wants } from './register-fields.js';
export { Decision, Decisions, inOrganization, inOrganizationWith, inStream } from './use-cases/decision.js';
export { command, type Given, type Needs, query, type Runnable } from './use-cases/use-case.js';
