// Types whose values end by themselves, or are ended by a user: windows, sockets, processes.

/** Properties by which an object reports that it has ended. */
const ENDED = new RegExp(
  '^(listen|onDidDispose|onDidClose|onExit|onclose|onended|closed|destroyed|killed|' +
    'exit(Code|Status)|isDisposed|isCancellationRequested)$',
);

/** Whether a type has an event or a property by which its values report their end. */
export function endsByItself(properties: readonly string[]): boolean {
  const isEmitter = properties.includes('once') && properties.includes('on');
  return isEmitter || properties.some((name) => ENDED.test(name));
}

/**
 * Whether no function has to end such values: they report their end, or are objects of WebAssembly,
 * whose memory is freed when they are collected, or by `free()` before.
 */
export function mayEndAlone(properties: readonly string[]): boolean {
  return endsByItself(properties) || properties.includes('free');
}

/** Whether an event reports the end of its emitter: its listeners end with it. */
export function isOfEnd(event: string): boolean {
  return /^on(Did|Will)?(Dispose|Close|Exit|End|Terminate)$/.test(event);
}

/** Whether an event of Node.js reports the end of its emitter. */
export function isEnd(event: string): boolean {
  return /^(close|end|exit|finish)$/.test(event);
}

/** Whether a type is an emitter of one event: its listeners, and nothing else, end with it. */
export function isEmitter(properties: readonly string[]): boolean {
  return properties.includes('event') && properties.includes('fire');
}

/** Types of Node.js whose values have no owner. */
const UNOWNED =
  /^(Timeout|Immediate|IncomingMessage|ServerResponse|AsyncLocalStorage|AsyncResource)$/;

/** A type by its name, and where that is declared: `undefined` inside the project. */
interface NamedType {
  readonly name: string;
  readonly module: string | undefined;
}

/** Iterators, generators, and Node's timers and requests: disposable, and no resources. */
export function isNoResource(type: NamedType | undefined, properties: readonly string[]): boolean {
  if (properties.includes('next') && properties.includes('return')) return true;
  return isOfPlatform(type?.module) && hasNoResource(type?.name ?? '');
}

/** The same by the name alone, of types of the platform. */
export function hasNoResource(name: string): boolean {
  return UNOWNED.test(name) || /^(\w*Iterator|(Async)?Generator)$/.test(name);
}

function isOfPlatform(module = ''): boolean {
  return module === 'lib' || module.startsWith('node:');
}
