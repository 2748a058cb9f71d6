// The entry: walks every function of a file and tells what it finds.
import type { ClassNode, FunctionNode, SourceFile } from '../syntax/node.ts';
import { classFindings } from './class-findings.ts';
import { walkConstructor, endFunction, initialState } from './class-walk.ts';
import { reportUnreleased } from './handlers.ts';
import { runBody } from './invoke.ts';
import { parameterValues } from './parameters.ts';
import { FlowRun } from './run.ts';
import { execute } from './statements.ts';
import { START, withInstance, type FlowState } from './state.ts';
import type { World } from './world.ts';

/** Walks a function by itself and reports what it does wrong. */
export function analyseFunction(world: World, fn: FunctionNode): void {
  if (fn.body === undefined || !world.isRelevant(fn)) return;
  const first = walked(world, fn, false);
  // What was not seen to its end is seen again, from further away.
  const run = first.wasExhausted ? walked(world, fn, true) : first;
  reportUnreleased(run);
  run.finish();
}

function walked(world: World, fn: FunctionNode, isShallow: boolean): FlowRun {
  const isRole = world.isRole(fn);
  const run = new FlowRun(world, { fn, file: fn.file, call: undefined, isRole });
  run.isShallow = isShallow;
  run.neverEnds = isMeantToThrow(fn);
  const { state, values } = parameterValues(run, fn, initialState());
  const [normal, abrupt] = run.catching(() => runBody(run, fn, values, state));
  if (isMeantToThrow(fn))
    endFunction(
      run,
      [],
      abrupt.filter(({ kind }) => kind === 'throw'),
    );
  else endFunction(run, normal, abrupt);
  return run;
}

/** `assertThrows(() => …)`, `expect(() => …).toThrow()`: its end is never reached. */
function isMeantToThrow({ file: { text }, start, end }: FunctionNode): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  const after = text.slice(end, end + 40);
  return (
    /\b(?:assert\.?)?(?:throws|rejects)(?:Async)?\(\s*$/i.test(before) ||
    /^\s*,?\s*\)\s*\.(?:rejects|toThrow|to\.throw)/.test(after)
  );
}

/** The code of a module itself: what its variables hold lives as long as the process. */
export function analyseModule(world: World, file: SourceFile): void {
  if (!world.isRelevant(file)) return;
  const run = new FlowRun(world, { fn: undefined, file, call: undefined, isRole: false });
  const [normal] = run.catching(() => execute(run, { ...file.body, declares: [] }, [START]));
  for (const state of normal) forever(state);
  run.finish();
}

function forever(state: FlowState): FlowState {
  let next = state;
  for (const id of state.instances.keys()) next = withInstance(next, id, { status: 'escaped' });
  return next;
}

export function analyseClass(world: World, node: ClassNode): void {
  if (node.isInterface || !world.isOwner(node)) return;
  walkConstructor(world, node, false);
  classFindings(world, node);
}

/** Everything that is worth walking in a file. What fails is told, and does not stop the rest. */
export function analyseFile(
  world: World,
  file: SourceFile,
  onFailure: (error: unknown) => void = fail,
): void {
  if (file.isDeclarations) return;
  const guarded = (walk: () => void): void => {
    try {
      walk();
    } catch (error) {
      onFailure(error);
    }
  };
  for (const node of file.classes) guarded(() => analyseClass(world, node));
  for (const fn of file.functions) {
    if (world.isRole(fn)) for (const each of world.roleFindings(fn)) world.report(each);
    if (fn.form !== 'constructor') guarded(() => analyseFunction(world, fn));
  }
  guarded(() => analyseModule(world, file));
}

function fail(error: unknown): never {
  throw error;
}
