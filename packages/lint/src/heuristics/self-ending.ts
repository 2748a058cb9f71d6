// Types whose values end by themselves, or are ended by a user: windows, sockets, processes.

/** Properties by which an object reports that it has ended. */
const ENDED =
  /^(onDidDispose|onDidClose|onclose|onended|closed|destroyed|killed|exitCode|isDisposed)$/;

/** Whether a type has an event or a property by which its values report their end. */
export function endsByItself(properties: readonly string[]): boolean {
  const isEmitter = properties.includes('once') && properties.includes('on');
  return isEmitter || properties.some((name) => ENDED.test(name));
}

/** Types of Node.js whose values have no owner. */
const UNOWNED =
  /^(Timeout|Immediate|IncomingMessage|ServerResponse|AsyncLocalStorage|AsyncResource)$/;

/** Iterators, generators, timers and requests: disposable, and no resources. */
export function isNoResource(typeName: string, properties: readonly string[]): boolean {
  const isIterator = properties.includes('next') && properties.includes('return');
  return isIterator || UNOWNED.test(typeName) || /^(\w*Iterator|\w*Generator)$/.test(typeName);
}
