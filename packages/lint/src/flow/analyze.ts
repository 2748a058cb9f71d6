// Entry of the flow analysis: walks every function of a file and reports findings.
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

/** Walks one function and reports its findings. */
function analyzeFunction(world: World, fn: FunctionNode): void {
  if (fn.body === undefined || !world.isRelevant(fn)) return;
  const first = walked(world, fn, false);
  // A walk that hit its bound is repeated with less detail.
  const run = first.wasExhausted ? walked(world, fn, true) : first;
  if (run.wasExhausted) world.giveUp(fn);
  reportUnreleased(run);
  run.finish();
}

function walked(world: World, fn: FunctionNode, isShallow: boolean): FlowRun {
  const isRole = world.isRole(fn);
  const run = new FlowRun(world, { fn, file: fn.file, call: undefined, isRole });
  run.isShallow = isShallow;
  run.neverEnds = isMeantToThrow(fn);
  const { state, values } = parameterValues(run, fn, initialState());
  if (state.instances.size === 0 && !isRole && !world.holding.in(fn)) return run;
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

/** `assertThrows(() => …)`, `expect(() => …).toThrow()`: the end is never reached. */
function isMeantToThrow({ file: { text }, start, end }: FunctionNode): boolean {
  const before = text.slice(Math.max(0, start - 40), start);
  const after = text.slice(end, end + 40);
  return (
    /\b(?:assert\.?)?(?:throws|rejects)(?:Async)?\(\s*$/i.test(before) ||
    /^\s*,?\s*\)\s*\.(?:rejects|toThrow|to\.throw)/.test(after)
  );
}

/** The top-level code of a module: its variables live as long as the process. */
function analyzeModule(world: World, file: SourceFile): void {
  if (!world.isRelevant(file) || !world.holding.in(file)) return;
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

function analyzeClass(world: World, node: ClassNode): void {
  if (node.isInterface || !world.isOwner(node)) return;
  walkConstructor(world, node, false);
  classFindings(world, node);
}

/** Walks all relevant functions of a file; an internal error in one does not stop the rest. */
export function analyzeFile(
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
  for (const node of file.classes) guarded(() => analyzeClass(world, node));
  for (const fn of file.functions) {
    if (world.isRole(fn)) for (const each of world.roleFindings(fn)) world.report(each);
    if (fn.form !== 'constructor') guarded(() => analyzeFunction(world, fn));
  }
  guarded(() => analyzeModule(world, file));
}

function fail(error: unknown): never {
  throw error;
}
