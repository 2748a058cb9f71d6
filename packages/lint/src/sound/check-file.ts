// Judges every function, class and module body of a file.
import type { At } from '../calculus/core.ts';
import type { Refusal } from '../calculus/rules.ts';
import { walk } from '../syntax/children.ts';
import type { FunctionNode, SourceFile } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';
import type { SoundProject } from './project.ts';

/** What the calculus refuses in a file. */
export function refusalsIn(project: SoundProject, file: SourceFile): Refusal[] {
  if (file.isDeclarations) return [];
  project.types.prepare(file);
  const found: Refusal[] = [];
  for (const node of file.classes) {
    if (node.isInterface) continue;
    found.push(...project.systems.refusals(node));
  }
  const positions = project.positions(file);
  for (const fn of file.functions) {
    if (fn.body === undefined) continue;
    const owner = positions.classOf(fn);
    if (owner !== undefined && !owner.isInterface && !fn.isStatic) continue;
    if (isJudgedElsewhere(project, fn)) continue;
    const key = project.keyOf(fn, undefined);
    if (project.mayHold(key)) found.push(...(project.verdict(key)?.refused ?? []));
  }
  found.push(...project.moduleRefusals(file));
  return distinct(found.filter(({ at, origin }) => isIn(at, file) || isIn(origin, file)));
}

function isIn(at: At | undefined, file: SourceFile): boolean {
  return at?.file === file;
}

/** A closure is judged where it is called or passedOn away, with what it captured. */
function isJudgedElsewhere(project: SoundProject, fn: FunctionNode): boolean {
  const { values, variables } = project.placesOf(fn, undefined);
  if (values.length + variables.length > 0) return true;
  return getsFunctions(fn) && isOnlyInlined(project, fn);
}

function getsFunctions({ parameters }: FunctionNode): boolean {
  return parameters.some(({ type }) => type?.kind === 'function');
}

/** A function of the file alone, each of whose calls gets functions that are there. */
function isOnlyInlined(project: SoundProject, fn: FunctionNode): boolean {
  const { file, self, start } = fn;
  if (self === undefined || file.text.startsWith('export', start)) return false;
  let isInlined = true;
  let calls = 0;
  walk(file.body, (node) => {
    if (node.kind === 'call' && isCallOf(node.callee, self)) {
      calls++;
      isInlined &&= node.args.some((arg) => project.isFunction(arg, file));
    } else if (node.kind === 'name' && node.variable === self) calls--;
  });
  return isInlined && calls === 0;
}

function isCallOf(
  callee: { readonly kind: string; readonly variable?: unknown },
  self: Variable,
): boolean {
  return callee.kind === 'name' && callee.variable === self;
}

/** One refusal of a kind at a place. */
function distinct(refusals: readonly Refusal[]): Refusal[] {
  const seen = new Map<string, Refusal>();
  for (const refusal of refusals) {
    const { start } = refusal.wrong === 'leak' ? (refusal.origin ?? refusal.at) : refusal.at;
    const key = `${refusal.wrong} ${start}`;
    if (!seen.has(key)) seen.set(key, refusal);
  }
  return [...seen.values()];
}
