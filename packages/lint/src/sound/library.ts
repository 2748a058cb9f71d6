// What the functions of ECMAScript and of every host do with what they get: the language itself,
// which has no bodies to look at.

/** What a callee of the language does. */
export type Role =
  /** Looks at what it gets, and gives a value without identity, or a copy. */
  | 'looks'
  /** As `looks`, and may throw. */
  | 'tries'
  /** Gives what belongs to the object that it is called on. */
  | 'views'
  | 'push'
  | 'unshift'
  | 'pop'
  | 'shift'
  | 'splice'
  | 'element'
  | 'self'
  | 'get'
  | 'set'
  | 'delete'
  | 'clear'
  /** Calls its function for each element. */
  | 'each'
  | 'map'
  | 'find'
  | 'from'
  | 'all'
  /** Calls its function once, later. */
  | 'later'
  | 'use'
  | 'adopt'
  | 'defer'
  | 'move';

type Roles = Readonly<Record<string, Role>>;

const LISTS: Roles = {
  push: 'push',
  unshift: 'unshift',
  pop: 'pop',
  shift: 'shift',
  splice: 'splice',
  at: 'element',
  values: 'self',
  entries: 'self',
  reverse: 'self',
  forEach: 'each',
  some: 'each',
  every: 'each',
  map: 'map',
  find: 'find',
  findLast: 'find',
  join: 'looks',
  includes: 'looks',
  indexOf: 'looks',
  keys: 'looks',
};

const BYTES: Roles = {
  slice: 'looks',
  subarray: 'views',
  at: 'looks',
  indexOf: 'looks',
  includes: 'looks',
  join: 'looks',
  fill: 'looks',
};

const TEXT: Roles = { '': 'looks' };

/** By the owner of a member; `''` is every other member. */
const MEMBERS: Readonly<Record<string, Roles>> = {
  Array: LISTS,
  ReadonlyArray: LISTS,
  Map: {
    get: 'get',
    set: 'set',
    delete: 'delete',
    clear: 'clear',
    has: 'looks',
    keys: 'looks',
    values: 'self',
    entries: 'self',
    forEach: 'each',
  },
  ReadonlyMap: { get: 'get', has: 'looks', keys: 'looks', values: 'self', forEach: 'each' },
  Set: {
    add: 'push',
    delete: 'delete',
    clear: 'clear',
    has: 'looks',
    values: 'self',
    keys: 'self',
    forEach: 'each',
  },
  ReadonlySet: { has: 'looks', values: 'self', forEach: 'each' },
  ArrayConstructor: { from: 'from', isArray: 'looks' },
  PromiseConstructor: { all: 'all', resolve: 'views' },
  ObjectConstructor: { values: 'self', keys: 'looks', freeze: 'self', is: 'looks' },
  String: TEXT,
  Number: TEXT,
  Math: TEXT,
  Date: TEXT,
  DateConstructor: TEXT,
  NumberConstructor: TEXT,
  SymbolConstructor: TEXT,
  Console: TEXT,
  Performance: TEXT,
  RegExp: TEXT,
  JSON: { stringify: 'tries', parse: 'tries' },
  DisposableStack: { use: 'use', adopt: 'adopt', defer: 'defer', move: 'move' },
  AsyncDisposableStack: { use: 'use', adopt: 'adopt', defer: 'defer', move: 'move' },
};

const FUNCTIONS: Roles = {
  String: 'looks',
  Number: 'looks',
  Boolean: 'looks',
  parseInt: 'looks',
  parseFloat: 'looks',
  isNaN: 'looks',
  structuredClone: 'tries',
  queueMicrotask: 'later',
  setTimeout: 'later',
  setImmediate: 'later',
};

/** Constructors that do not throw, and keep nothing of what they get. */
const CONSTRUCTORS = new Set([
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'Array',
  'Date',
  'DisposableStack',
  'AsyncDisposableStack',
  'AbortController',
  'TextEncoder',
  'TextDecoder',
  'ArrayBuffer',
  'SharedArrayBuffer',
  'DataView',
]);

const TYPED_ARRAY = /^(Big)?(Ui|I)nt(8|16|32|64)(Clamped)?Array$|^Float(16|32|64)Array$/;

/** The role of a function of the language, by its name and the type that it is a member of. */
export function roleOf(owner: string | undefined, name: string | undefined): Role | undefined {
  if (name === undefined) return undefined;
  if (owner === undefined) return own(FUNCTIONS, name);
  if (TYPED_ARRAY.test(owner)) return own(BYTES, name);
  const members = own(MEMBERS, owner);
  return members && (own(members, name) ?? own(members, ''));
}

/** A table has no more names than are written in it. */
function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Whether `new` of a constructor copies what it gets, unless that is memory itself. */
export function copies(name: string, from: string | undefined): boolean {
  return TYPED_ARRAY.test(name) && from !== 'ArrayBuffer' && from !== 'SharedArrayBuffer';
}

/** Whether `new` of a constructor of the language does not throw. */
export function isPlainConstructor(name: string): boolean {
  return CONSTRUCTORS.has(name) || TYPED_ARRAY.test(name) || name.endsWith('Error');
}

/** Whether a constructor of the language makes a list, a set or a map. */
export function containerOf(name: string): 'list' | 'map' | 'stack' | undefined {
  if (name === 'Map') return 'map';
  if (name === 'DisposableStack' || name === 'AsyncDisposableStack') return 'stack';
  return name === 'Array' || name === 'Set' ? 'list' : undefined;
}

/** The property that counts the elements of a container. */
export function isCount(name: string | undefined): boolean {
  return name === 'length' || name === 'size';
}

/** Whether going through a value of a type of the language does not throw. */
export function isPlainIterable(name: string | undefined): boolean {
  return name !== undefined && (TYPED_ARRAY.test(name) || containerOf(name) !== undefined);
}

const RELEASES: Readonly<Record<string, readonly string[]>> = {
  Disposable: ['[Symbol.dispose]'],
  AsyncDisposable: ['[Symbol.asyncDispose]'],
  DisposableStack: ['dispose', '[Symbol.dispose]'],
  AsyncDisposableStack: ['disposeAsync', '[Symbol.asyncDispose]'],
};

/** The methods that release a value of a type of the language. */
export function releaseOf(name: string): readonly string[] | undefined {
  return own(RELEASES, name);
}
