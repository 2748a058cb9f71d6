// The end of this thread, as far as the thread itself can tell: an error that nothing catches, an
// exit, or the end of its work, with an endpoint open. `watchdog/` sees all other ends.
import { describeError } from './describe-error.ts';
import { isNodeWorker, isWebWorker, nodeProcess } from './platform.ts';
import type { SharedState } from './shared.ts';

interface OpenEndpoint {
  readonly shared: WeakRef<SharedState>;
  readonly index: number;
}

const MIN_PRUNED = 64;
let open: OpenEndpoint[] = [];
let pruneAt = MIN_PRUNED;
let isListening = false;
let lastError: unknown;
let hasError = false;

/** An endpoint was opened in this thread. */
export function enters(shared: SharedState, index: number): void {
  if (!isNodeWorker && !isWebWorker) return;
  if (!isListening) listen();
  if (open.length >= pruneAt) {
    open = open.filter((one) => one.shared.deref() !== undefined);
    pruneAt = Math.max(MIN_PRUNED, open.length * 2);
  }
  open.push({ shared: new WeakRef(shared), index });
}

/** An endpoint of this thread was closed. */
export function leaves(shared: SharedState, index: number): void {
  open = open.filter((one) => one.index !== index || one.shared.deref() !== shared);
}

/** Fails what is open, or was left by this error. */
function failWith(error: unknown): void {
  const { cause, line } = describeError(error);
  for (const { shared, index } of open) shared.deref()?.endpointDied(index, cause, line, true);
}

/** Fails what is open; that its thread ended is no better cause for a scope that was left. */
function failByExit(code: unknown): void {
  const cause = `its thread ended with code ${String(code)}`;
  for (const { shared, index } of open) {
    const ring = shared.deref();
    if (ring?.awaitsCauseOf(index) === false) ring.endpointDied(index, cause, null, true);
  }
}

function listen(): void {
  isListening = true;
  if (isNodeWorker) {
    // The error comes before the exit, and is its cause unless a listener caught it.
    nodeProcess!.on('uncaughtExceptionMonitor', (error) => {
      if (nodeProcess!.listenerCount('uncaughtException') > 0) return;
      lastError = error;
      hasError = true;
    });
    nodeProcess!.on('exit', (code) => (hasError ? failWith(lastError) : failByExit(code)));
    return;
  }
  const scope = globalThis as unknown as EventTarget;
  scope.addEventListener('error', (event) => {
    const { error, message } = event as Event & { error?: unknown; message?: string };
    failWith(error ?? message);
  });
  scope.addEventListener('unhandledrejection', (event) => {
    failWith((event as Event & { reason?: unknown }).reason);
  });
}
