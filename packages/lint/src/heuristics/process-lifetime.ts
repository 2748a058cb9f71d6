// Handles that code drops which runs once: they live as long as their process, which ends them.
import type { FlowFinding } from '../flow/report.ts';
import { DESTRUCTOR } from '../flow/class-info.ts';
import type { ClassNode, FunctionNode } from '../syntax/node.ts';
import { functionAround, runsOnce, type CallSites } from './runs-once.ts';

/**
 * Whether a handle that is lost lives as long as the process: it was acquired by code that runs
 * once, releases it on no path, and belongs to no object that has an end of its own. A watcher
 * of files does so wherever nothing releases it, and so does what a library ends at the exit of the
 * process, once the project asks for that.
 */
export function endsWithProcess(
  { kind, instance, isReleasedElsewhere = false }: FlowFinding,
  sitesOf: CallSites,
  isCalled: (names: readonly string[]) => boolean = () => false,
): boolean {
  if (kind !== 'leak' || instance === undefined || isReleasedElsewhere) return false;
  const { contract, site, status } = instance;
  if (contract.guards || status === 'field') return false;
  if (contract.endedAtExitBy.length > 0 && isCalled(contract.endedAtExitBy)) return true;
  if (contract.outlivesProcess) return false;
  const within = functionAround(site.file, site.start);
  if (within !== undefined) {
    return !isOfEnding(within) && (contract.isOpenEnded || runsOnce(within, sitesOf));
  }
  return !site.file.classes.some(({ start, end }) => start <= site.start && site.start < end);
}

/** In a class that has a destructor: its objects end before the process. */
function isOfEnding(fn: FunctionNode): boolean {
  let owner: ClassNode | undefined;
  for (let at: FunctionNode | undefined = fn; at !== undefined; at = at.outer) owner ??= at.owner;
  return owner?.methods.some(({ name = '' }) => DESTRUCTOR.test(name)) ?? false;
}
