// What of Node a program text may use: lists of what is allowed, so that what is new is refused.

/** Modules that only compute: their results are a function of the arguments. */
export const PURE_MODULES: ReadonlySet<string> = new Set([
  'assert',
  'assert/strict',
  'buffer',
  'console',
  'constants',
  'events',
  'path',
  'path/posix',
  'path/win32',
  'punycode',
  'querystring',
  'string_decoder',
  'url',
  'util',
  'util/types',
]);

/** Globals that only compute, beside those of the language. */
export const PURE_GLOBALS: ReadonlySet<string> = new Set([
  'Buffer',
  'CustomEvent',
  'DOMException',
  'Event',
  'EventTarget',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLPattern',
  'URLSearchParams',
  'atob',
  'btoa',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'console',
  'global',
  'process',
  'queueMicrotask',
  'structuredClone',
]);

/**
 * Globals that Node loads when they are first looked at, which takes 30 ms. They answer by events
 * and promises, which no role can wait for.
 */
export const LATE_GLOBALS: ReadonlySet<string> = new Set([
  'ByteLengthQueuingStrategy',
  'CloseEvent',
  'CompressionStream',
  'CountQueuingStrategy',
  'DecompressionStream',
  'EventSource',
  'FormData',
  'Headers',
  'MessageEvent',
  'ReadableByteStreamController',
  'ReadableStream',
  'ReadableStreamBYOBReader',
  'ReadableStreamBYOBRequest',
  'ReadableStreamDefaultController',
  'ReadableStreamDefaultReader',
  'Request',
  'Response',
  'TextDecoderStream',
  'TextEncoderStream',
  'TransformStream',
  'TransformStreamDefaultController',
  'WebSocket',
  'WritableStream',
  'WritableStreamDefaultController',
  'WritableStreamDefaultWriter',
]);

/** Properties of `process` that are the same in every run of a Node, and its output. */
export const PURE_OF_PROCESS: ReadonlySet<string> = new Set([
  'arch',
  'config',
  'emitWarning',
  'features',
  'nextTick',
  'permission',
  'platform',
  'release',
  'stderr',
  'stdout',
  'version',
  'versions',
]);

/** Modules of Node that a program text may import in a process that may only read. */
export const MODULES_OF_READERS: ReadonlySet<string> = new Set([
  ...PURE_MODULES,
  'crypto',
  'fs',
  'fs/promises',
  'os',
  'perf_hooks',
  'process',
  'stream',
  'stream/promises',
  'timers',
  'timers/promises',
  'zlib',
]);

/** Globals that a program text may use there; they reach nothing outside the process. */
export const GLOBALS_OF_READERS: ReadonlySet<string> = new Set([
  ...PURE_GLOBALS,
  'AbortController',
  'AbortSignal',
  'Blob',
  'crypto',
  'performance',
  'setImmediate',
  'setInterval',
  'setTimeout',
]);

/** Functions of `process` that a program text may call there, or that Node calls itself. */
export const CALLS_OF_READERS: ReadonlySet<string> = new Set([
  '_fatalException',
  '_tickCallback',
  'assert',
  'cpuUsage',
  'cwd',
  'emitWarning',
  'getBuiltinModule',
  'hasUncaughtExceptionCaptureCallback',
  'hrtime',
  'memoryUsage',
  'nextTick',
  'resourceUsage',
  'uptime',
]);
