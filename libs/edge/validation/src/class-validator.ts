/**
 * The parts of class-validator that are used, each from its own file. The package's index loads 110 validators and a
 * database of telephone numbers, which costs each start 80 ms and 9 MB more than this (ADR 1).
 */
export { ArrayMaxSize } from 'class-validator/cjs/decorator/array/ArrayMaxSize.js';
export { IsIn } from 'class-validator/cjs/decorator/common/IsIn.js';
export { ValidateBy } from 'class-validator/cjs/decorator/common/ValidateBy.js';
export { ValidateIf } from 'class-validator/cjs/decorator/common/ValidateIf.js';
export { Max } from 'class-validator/cjs/decorator/number/Max.js';
export { Min } from 'class-validator/cjs/decorator/number/Min.js';
export { IsArray } from 'class-validator/cjs/decorator/typechecker/IsArray.js';
export { IsInt } from 'class-validator/cjs/decorator/typechecker/IsInt.js';
export { IsString } from 'class-validator/cjs/decorator/typechecker/IsString.js';
export { getMetadataStorage } from 'class-validator/cjs/metadata/MetadataStorage.js';
export { ValidationTypes } from 'class-validator/cjs/validation/ValidationTypes.js';
