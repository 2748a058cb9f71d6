// Addresses as state spaces ask for them: an instruction that names one takes an address in it.
import {
  BOX_WINDOW,
  LOCAL_WINDOW,
  MODULE_WINDOW,
  NO_WINDOW,
  PARAMETER_WINDOW,
  SHARED_WINDOW,
} from '../../launch/windows.ts';
import type { Access, Space } from '../../isa/effect.ts';
import { rankOf } from '../../steps/step.ts';
import type { Warp } from './warp.ts';

const RULE = 'an instruction that names a state space takes an address in it';
const OWN_RULE = 'an instruction that does not name .shared::cluster takes an address of its CTA';
const ATOMIC_RULE = 'atomic accesses are those of global and of shared memory';
const CONSTANT_RULE = 'constant memory and the parameters of a kernel are only read';

/** The spaces that windows stand for, as sentences name them. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [SHARED_WINDOW, 'shared memory'],
  [LOCAL_WINDOW, 'local memory'],
  [PARAMETER_WINDOW, 'the parameters'],
  [NO_WINDOW, 'no state space'],
]);
/** Windows that are not global memory. */
const NOT_GLOBAL: ReadonlySet<number> = new Set([...NAMES.keys(), BOX_WINDOW]);

/** Reports an address in another space than an instruction names; one without a window is in it. */
export function checkSpace(
  warp: Warp,
  space: Space,
  low: number,
  high: number,
  op: Access['op'] = 'load',
): void {
  if (high === 0) return;
  const isConstant = high === MODULE_WINDOW && isOfConstant(warp, low);
  const name = isConstant ? 'constant memory' : (NAMES.get(high) ?? 'global memory');
  if (op === 'store' && (isConstant || high === PARAMETER_WINDOW))
    return report(warp, `writes ${name}`, CONSTANT_RULE);
  if ((op === 'atomic' || op === 'reduction') && high !== SHARED_WINDOW)
    if (isConstant || NOT_GLOBAL.has(high)) return report(warp, `changes ${name}`, ATOMIC_RULE);
  if (isIn(space, high, isConstant)) return;
  const wanted = space === 'generic' ? '' : `, and names .${space}`;
  report(warp, `has an address in ${name}${wanted}`, RULE);
}

/** Reports a shared address of another CTA where the instruction has to name that it is. */
export function checkOwn(warp: Warp, address: number): void {
  const rank = rankOf(address);
  const { machine, cta } = warp;
  // What is in no CTA of the cluster is reported where it is used.
  if (rank === cta.rank || rank >= machine.ctas) return;
  report(warp, 'has an address in shared memory of another CTA', OWN_RULE);
}

function report(warp: Warp, text: string, rule: string): void {
  if (warp.ahead.look !== null) return;
  const { index, opcode } = warp.instruction;
  warp.machine.misuse('out-of-bounds', index, `${opcode} ${text}`, rule, warp);
}

function isOfConstant({ machine: { placement } }: Warp, low: number): boolean {
  return placement.variableAt(low, MODULE_WINDOW)?.isConstant === true;
}

function isIn(space: Space, high: number, isConstant: boolean): boolean {
  switch (space) {
    case 'generic':
      return high !== NO_WINDOW;
    case 'shared':
      return high === SHARED_WINDOW;
    case 'local':
      return high === LOCAL_WINDOW;
    case 'param':
      return high === PARAMETER_WINDOW || high === LOCAL_WINDOW;
    case 'const':
      // A parameter may point to a constant buffer.
      return isConstant || (high !== MODULE_WINDOW && !NOT_GLOBAL.has(high));
    case 'global':
      return !isConstant && !NOT_GLOBAL.has(high);
  }
}
