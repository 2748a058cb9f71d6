// Calls that ask the world outside the program: refused while a role or a kernel function runs.
import { currentPosition, InputError } from '../base/index.ts';
import { exchangeRunning, isRoleRunning } from './context.ts';
import { abandonDeclarations, isDeclaring } from './declarations.ts';

let isDefaulting = false;
let isOutside = false;
let refused: InputError | null = null;

/** Whether a role, a kernel function or the default of a parameter is being run. */
export function isProgramRunning(): boolean {
  return !isOutside && (isDefaulting || isRoleRunning() || isDeclaring());
}

/**
 * Runs what is no part of the program while a role of it runs: what the checker itself does, as
 * for roles of PTX, and the work that a run of the program does with its data.
 */
export function outsideProgram<T>(call: () => T): T {
  const outer = isOutside;
  isOutside = true;
  try {
    return call();
  } finally {
    isOutside = outer;
  }
}

/** Runs the function that is the default of a parameter. */
export function computeDefault<T>(call: () => T): T {
  const outer = isDefaulting;
  isDefaulting = true;
  try {
    return call();
  } finally {
    isDefaulting = outer;
    rethrowRefused();
  }
}

/**
 * Refuses `what`, such as `Math.random()`: a run with another answer would be another program. The
 * program may catch the error, so that it is thrown again where the role or the kernel returns.
 */
export function refuseOutside(what: string): never {
  refused = new InputError(
    `${what} asks the world outside the program, which answers differently in the next run: ` +
      'pass the value as a parameter, or compute it once at the top of the module',
    currentPosition(),
  );
  throw refused;
}

/** Throws what was refused since the last call. */
export function rethrowRefused(): void {
  if (refused === null) return;
  const error = refused;
  refused = null;
  throw error;
}

/** For roles that were stopped from outside, so that they could not clean up. */
export function abandonRoles(): void {
  exchangeRunning(null);
  abandonDeclarations();
  isDefaulting = false;
  refused = null;
}
