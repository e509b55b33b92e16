export { foldersPart } from './folders/folders.part.js';
export { defaultGroupsPart } from './default-groups/default-groups.part.js';
