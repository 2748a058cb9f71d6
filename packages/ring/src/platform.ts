// What a platform offers beside the language, found without imports, so that one package runs in
// Node and in browsers.
import type { EventEmitter } from 'node:events';
import type * as Net from 'node:net';
import type * as Os from 'node:os';
import type * as Threads from 'node:worker_threads';

interface BuiltinModules {
  readonly 'node:net': typeof Net;
  readonly 'node:os': typeof Os;
  readonly 'node:worker_threads': typeof Threads;
}

interface NodeProcess extends EventEmitter {
  readonly platform: string;
  getBuiltinModule?: <K extends keyof BuiltinModules>(name: K) => BuiltinModules[K] | undefined;
}

/** The process, where there is one. */
export const nodeProcess = (globalThis as { process?: NodeProcess }).process;

/** A module of Node, or `undefined` elsewhere. */
export function builtinModule<K extends keyof BuiltinModules>(
  name: K,
): BuiltinModules[K] | undefined {
  return nodeProcess?.getBuiltinModule?.(name);
}

const threads = builtinModule('node:worker_threads');

/** The number of this thread in Node; −1 elsewhere. */
export const nodeThreadId = threads?.threadId ?? -1;
/** Whether this is a worker of Node. */
export const isNodeWorker = threads !== undefined && !threads.isMainThread;
/** Whether this is a worker of a browser. */
export const isWebWorker = threads === undefined && 'WorkerGlobalScope' in globalThis;
