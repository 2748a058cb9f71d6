// The instruction set: operations as data, their catalogue, and the units they run on.
export { CATALOGUE, type OpClass, type OpEntry } from './catalogue.ts';
export { ASSUMED, DRAINING, OpKind, SHARED, Side } from './kind.ts';
export { makeOp, type Declared, type Op } from './op.ts';
export { UNITS, type Unit } from './unit.ts';
