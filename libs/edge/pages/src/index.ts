export { formOf } from './form.js';
export { FormField } from './form-field.js';
export { LINK_VALID_SECONDS, LinkKeys } from './link-keys.js';
export { deadLink, notePage } from './page-parts.js';
