// What a platform offers beside the language, found without imports, so that one package runs in
// Node and in browsers. The types are those parts of Node's that are used.

interface Listens {
  on: (event: string, listener: (value: never) => void) => unknown;
}

interface Socket extends Listens {
  readonly unref: () => unknown;
  readonly resume: () => unknown;
}

interface Server extends Listens {
  readonly listen: (path: string, done: () => void) => unknown;
  readonly close: () => unknown;
}

/** The modules of Node that are used, by name. */
interface BuiltinModules {
  readonly 'node:net': {
    readonly connect: (path: string) => Socket;
    readonly createServer: (accept: (socket: Socket) => void) => Server;
  };
  readonly 'node:os': {
    readonly tmpdir: () => string;
    readonly availableParallelism: () => number;
  };
  readonly 'node:v8': {
    readonly serialize: (value: unknown) => Uint8Array;
    readonly deserialize: (bytes: Uint8Array) => unknown;
  };
  readonly 'node:worker_threads': {
    readonly isMainThread: boolean;
    readonly threadId: number;
    readonly workerData: unknown;
    readonly parentPort: (Listens & { readonly postMessage: (message: unknown) => void }) | null;
    readonly Worker: new (url: URL, options: object) => NodeWorker;
  };
}

/** A worker of Node. */
export interface NodeWorker extends Listens {
  readonly unref: () => void;
  readonly postMessage: (message: unknown) => void;
  readonly terminate: () => unknown;
}

interface NodeProcess extends Listens {
  readonly stdout: unknown;
  readonly stderr: unknown;
  readonly platform: string;
  readonly listenerCount: (event: string) => number;
  getBuiltinModule?: <K extends keyof BuiltinModules>(name: K) => BuiltinModules[K] | undefined;
}

/** The process, where there is one. */
export const nodeProcess = (globalThis as unknown as { process?: NodeProcess }).process;

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
