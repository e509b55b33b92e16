export { ACT_TYPES, NO_ACT_TYPES } from './acts/act-types.js';
export { audit } from './audit.feature.js';
export { NO_CONTENT } from './export/export-files.js';
export { isUpTo, type Moment, readMoment, readTime } from './moment.js';
export { CLOCKS_APART_SECONDS, Moments } from './past/moments.js';
export { SECRET_FIELDS } from './organization/recorded.js';
export { keyOf as placeKeyOf, subjects as placeSubjects } from './places/place-row.js';
export { PlacesReader } from './places/places.reader.js';
