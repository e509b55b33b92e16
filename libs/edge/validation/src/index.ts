export { ArrayMaxSize, IsArray, IsIn, IsInt, IsString, Max, Min, ValidateBy, ValidateIf } from './class-validator.js';
export { brokenConstraint, type Constraint, constraintsOf, type PropertyConstraints } from './constraints.js';
export { MaxCharacters, MinCharacters } from './lengths.js';
export { stacked } from './stacked.js';
