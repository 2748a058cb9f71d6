// Component state (React): copies that are stored there and never released are only displayed.
import { textOf } from '../models/origin.ts';
import type { CallExpression, Expression } from '../syntax/node.ts';
import { invoke } from './invoke.ts';
import { escape } from './lifetime.ts';
import { reachableFrom } from './reach.ts';
import type { Evaluated, FlowRun } from './run.ts';
import type { FlowState } from './state.ts';
import { UNKNOWN, type Value } from './value.ts';

/** A component that never mentions a releasing function only displays the copies in its state. */
export function isCopiedToState(
  run: FlowRun,
  { callee }: CallExpression,
  value: Value,
  state: FlowState,
): boolean {
  const isData = value.k === 'ref' || value.k === 'obj';
  return isData && isSetter(callee) && areNeverReleased(run, value, state);
}

/** `setItems` of `const [items, setItems] = useState()`. */
function isSetter(callee: Expression): boolean {
  const hook = callee.kind === 'name' ? callee.variable?.partOf : undefined;
  return hook?.kind === 'call' && /(^|\.)useState$/.test(textOf(hook.callee));
}

/** The value contains only copies, and the file never mentions a function that releases them. */
function areNeverReleased(run: FlowRun, value: Value, state: FlowState): boolean {
  const { instances } = reachableFrom(state, [value]);
  const { text } = run.frame.file;
  return (
    instances.size > 0 &&
    [...instances].every((id) => {
      const contract = state.instances.get(id)?.contract;
      return contract?.isCopied === true && !contract.via.some(({ name }) => text.includes(name));
    })
  );
}

const MEMO = /(^|\.)useMemo$/;

/**
 * `setItems((old) => [...old, { url: URL.createObjectURL(file) }])` and `useMemo(() =>
 * URL.createObjectURL(file), [file])`: the function's result is displayed if it contains only
 * copies.
 */
export function passedToState(
  run: FlowRun,
  node: CallExpression,
  args: readonly Value[],
  state: FlowState,
): Evaluated[] | undefined {
  const { callee } = node;
  const [first] = args;
  const isMemo = MEMO.test(textOf(callee));
  if (first?.k !== 'fn' || !(isMemo || isSetter(callee))) return undefined;
  // It may use captured handles at any time.
  if (reachableFrom(state, [first]).instances.size > 0) return undefined;
  const [outs] = run.catching(() => run.silently(() => invoke(run, first, [], state, node)));
  const isShown = outs.some((out) => areNeverReleased(run, out.value, out.state));
  if (!isShown) return undefined;
  return outs.map((out) => {
    if (!areNeverReleased(run, out.value, out.state)) {
      return { state: escape(run, out.state, out.value, run.place(node)), value: UNKNOWN };
    }
    return { state: out.state, value: isMemo ? out.value : UNKNOWN };
  });
}
