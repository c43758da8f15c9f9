// What other rooms may import from the units folder.
// By hand, from the tables of UDUNITS, which is a library of C.
export { areConvertible, type Converter, converter, exactConverter } from './convert.js';
export { requestUnits, type UnitsAnswer } from './request-units.js';
export { mapTrickUnits } from './trick-units.js';
export type { Dimensions, Unit } from './unit.js';
export { UnitsError } from './units-error.js';
