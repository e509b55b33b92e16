export { accessChangeableGroup, assertMayLetIn, isOfAuditors, mayOnGroup } from './groups.access.js';
export { groups } from './groups.feature.js';
