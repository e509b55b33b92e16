export { defineFeature, type Feature, FeatureSet } from './feature.js';
export { fieldText, JsonFields, listText } from './json-fields.js';
export { readerProvider } from './reader-provider.js';
export { can, type PreparedFields, type RegisterContext, RegisterFields, wants } from './register-fields.js';
