// What the language itself has: which of its functions change something, or depend on more than
// their arguments. What is not listed here is not understood.

/** Methods of built-in objects that change nothing, and return the same for the same. */
const PURE_METHODS: ReadonlySet<string> = new Set(
  (
    'at charAt charCodeAt codePointAt concat endsWith entries every filter find findIndex ' +
    'findLast ' +
    'findLastIndex flat flatMap forEach get has includes indexOf join keys lastIndexOf map ' +
    'padEnd ' +
    'padStart reduce reduceRight repeat slice some split startsWith substring toFixed ' +
    'toLowerCase ' +
    'toReversed toSorted toSpliced toString toUpperCase trim trimEnd trimStart valueOf values ' +
    'with ' +
    'isDisjointFrom isSubsetOf isSupersetOf union intersection difference'
  ).split(' '),
);

/** Those that return a new array, string or number, which nothing else refers to. */
const FRESH_METHODS: ReadonlySet<string> = new Set(
  'concat filter flat flatMap map slice split toReversed toSorted toSpliced with'.split(' '),
);

/** Those that return an iterator, which is read once. */
export const ITERATOR_METHODS: ReadonlySet<string> = new Set(['entries', 'keys', 'values']);

/** Functions of the global object that only look at their arguments. */
export const PURE_FUNCTIONS: ReadonlySet<string> = new Set(
  'Array BigInt Boolean Number Object String isFinite isNaN parseFloat parseInt'.split(' '),
);

/** Classes whose objects are new. */
export const FRESH_CLASSES: ReadonlySet<string> = new Set(
  (
    'Array Error InputError Int8Array Int16Array Int32Array Map Object RangeError Set TypeError ' +
    'Uint8Array Uint16Array Uint32Array WeakMap WeakSet Float32Array Float64Array'
  ).split(' '),
);

/** Objects of the global object, and those of their functions that change nothing. */
const STATIC_FUNCTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  Array: new Set(['from', 'isArray', 'of']),
  BigInt: new Set(['asIntN', 'asUintN']),
  Map: new Set(['groupBy']),
  Math: new Set(Object.getOwnPropertyNames(Math).filter((name) => name !== 'random')),
  Number: new Set(Object.getOwnPropertyNames(Number)),
  Object: new Set([
    'entries',
    'freeze',
    'fromEntries',
    'groupBy',
    'hasOwn',
    'is',
    'keys',
    'values',
  ]),
  String: new Set(['fromCharCode', 'fromCodePoint', 'raw']),
  console: new Set(['debug', 'error', 'info', 'log', 'warn']),
};

/** Names that are values. */
export const CONSTANTS: ReadonlySet<string> = new Set(['undefined', 'NaN', 'Infinity']);

/** Every name that an object of the language has. */
const OF_THE_LANGUAGE: ReadonlySet<string> = new Set(
  [
    ...Object.getOwnPropertyNames(globalThis).map((name) => prototypeOf(name)),
    Object.getPrototypeOf(Int8Array.prototype) as object,
    Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())) as object,
    Object.getPrototypeOf([][Symbol.iterator]()) as object,
    Object.getPrototypeOf((function* () {})()) as object,
    Object.getPrototypeOf(Object.getPrototypeOf((function* () {})())) as object,
  ].flatMap((one) => (one === null ? [] : Object.getOwnPropertyNames(one))),
);

function prototypeOf(name: string): object | null {
  if (!/^[A-Z]/.test(name)) return null;
  const value: unknown = Reflect.get(globalThis, name);
  const prototype: unknown = typeof value === 'function' ? value.prototype : null;
  return typeof prototype === 'object' ? prototype : null;
}

/** Whether a method with this name may be one of the language that changes something. */
export function mayChange(method: string): boolean {
  return OF_THE_LANGUAGE.has(method) && !PURE_METHODS.has(method);
}

/** Whether a method is one of the language that calls its argument there and then. */
export function isPureMethod(method: string): boolean {
  return PURE_METHODS.has(method);
}

/** Whether a method returns what nothing else refers to. */
export function returnsFresh(method: string): boolean {
  return FRESH_METHODS.has(method);
}

/** Whether a function of a global object changes nothing. */
export function isPureStatic(object: string, name: string): boolean {
  return Object.hasOwn(STATIC_FUNCTIONS, object) && STATIC_FUNCTIONS[object]!.has(name);
}
