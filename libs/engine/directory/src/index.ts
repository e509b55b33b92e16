export { directoryBook, type DirectoryPart, directoryValue, type Handlers, type LogPoint } from './directory-part.js';
export { DirectoryParts, type DirectorySnapshot } from './directory-parts.js';
export { isOrganizationEvent, organizationEvent } from './organization-event.js';
