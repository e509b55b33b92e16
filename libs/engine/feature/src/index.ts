export { type ContentSource, defineFeature, type Feature, FeatureSet, type OwnedContent } from './feature.js';
export { CachedRuns } from './cached-runs.js';
export { fieldText, JsonFields } from './json-fields.js';
export { readerProvider } from './reader-provider.js';
export { can, type PreparedFields, type RegisterContext, RegisterFields, wants } from './register-fields.js';
