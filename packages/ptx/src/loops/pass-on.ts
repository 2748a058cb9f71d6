// One instruction: whether others can observe what is not the same in all rounds, and what it
// passes on.
import { readsCarry, writesCarry } from '../isa/questions.ts';
import { LANES } from '../values/register-file.ts';
import { lanesOf } from '../values/lane-mask.ts';
import { ActionKind } from '../exec/warp/program.ts';
import { loads, stores } from './accesses.ts';
import { setAll } from './executed.ts';
import type { Executed } from './executed.ts';
import { arrives, tries } from './tokens.ts';
import { NotProved } from './look.ts';
import type { Result, Role, Source } from './plan.ts';
import { ANY } from './reach.ts';
import type { Shade } from './reach.ts';
import type { Input } from './transfers.ts';

const WHETHER = 'whether it is executed may not be the same in all rounds';
const WHICH_WAY = 'which way it goes may not be the same in all rounds';
const ADDRESSED = 'what it touches or signals may not be the same in all rounds';

/** Passes on the shades of an instruction; throws NotProved where others may observe one. */
export function passOn(executed: Executed): void {
  const { context, shades, warp, at, mask, plan } = executed;
  const active = warp.stack.mask;
  if (context.quiet !== null) {
    if (context.quiet.meeting === at) context.quiet = null;
    else {
      if (!context.quiet.instructions.includes(at)) throw new NotProved(at, WHICH_WAY);
      if (plan.role === 'store') executed.follower.hasLocal = true;
      return forget(executed, active);
    }
  }
  if (plan.places.some((register) => shades.has(register, active))) executed.look.moving.add(at);
  if (plan.guard >= 0 && shades.has(plan.guard, active)) return guarded(executed, active);
  const isPicked = plan.guard >= 0 && isOfBlock(executed, plan.guard) && isShaded(executed, active);
  if (mask !== 0) {
    for (const register of plan.strict) requireSame(executed, register, ADDRESSED);
    TRANSFERS[plan.role](executed);
  }
  if (isPicked) forget(executed, active);
}

/** Whether a register has another value in another block, for all that the run of one knows. */
function isOfBlock({ look, warp }: Executed, register: number): boolean {
  return look.isOfSeveral && warp.registers.depends[register] === 1;
}

/** Whether something shaded is passed on, or kept, by an instruction that other blocks pick. */
function isShaded({ plan, shades, warp, at }: Executed, mask: number): boolean {
  if (warp.program.isPickable[at] !== 1) return false;
  return [...plan.reads, ...plan.destinations].some((register) => shades.has(register, mask));
}

/** What the results of an instruction have, by its role. */
const TRANSFERS: Readonly<Record<Role, (executed: Executed) => void>> = {
  table: (executed) => {
    for (const register of executed.plan.reads) requireSame(executed, register, WHETHER);
  },
  branch: () => {},
  try: tries,
  arrive: arrives,
  load: loads,
  store: stores,
  atomic: (executed) => {
    const { atomicAnswers } = executed.warp.machine.launch;
    executed.look.isStoreShaded = true;
    setAll(executed, atomicAnswers.length > 0 ? ANY : null);
  },
  data: (executed) => setAll(executed, null),
  shuffle: shuffles,
  other: (executed) => setAll(executed, ANY),
  compute: computes,
};

/** Nothing is known of the results in any lane that may execute it. */
function forget({ shades, warp, plan }: Executed, mask: number): void {
  for (const register of plan.destinations) shades.set(register, ANY, mask, warp.lanes);
  if (plan.usesCarry) shades.hasCarry = true;
}

/** Fails where a register is shaded in a lane that executes the instruction. */
export function requireSame(executed: Executed, register: number, text: string): void {
  const { shades, warp, mask, at } = executed;
  if (!shades.has(register, mask)) return;
  for (const lane of lanesOf(mask))
    if (shades.input(warp.registers, register, lane).shade !== null) throw new NotProved(at, text);
}

/** An instruction whose predicate may not be the same in all rounds. */
function guarded(executed: Executed, active: number): void {
  const { plan, at, context, shades, warp, follower } = executed;
  const { program, machine } = warp;
  if (plan.role === 'branch') {
    const { obstacle, spin, trap, instructions, isLoop, isStoring, writes, meeting } =
      program.regionOf(program.code.instructions[at]!);
    const isJoint = instructions.some((each) => executed.look.plans[each]!.isJoint);
    const isQuiet = obstacle === null && spin === null && trap === null && !isJoint;
    const areApart = warp.apart.fibers.length > 0 || warp.apart.parted !== null;
    if (!isQuiet || isLoop || areApart || (isStoring && machine.global.hasContents))
      throw new NotProved(at, WHICH_WAY);
    for (const register of writes) shades.set(register, ANY, active, warp.lanes);
    shades.hasCarry = true;
    follower.hasLocal = true;
    context.quiet = { meeting, instructions };
    return;
  }
  const isGlobal = plan.role === 'store' && machine.global.hasContents;
  if (program.kinds[at] !== ActionKind.silent || plan.isJoint || isGlobal)
    throw new NotProved(at, WHETHER);
  if (plan.role === 'store') follower.hasLocal = true;
  forget(executed, active);
}

/** Lanes read those of others: what grows alike in all of them goes on to do so. */
function shuffles(executed: Executed): void {
  const { warp, at, shades, mask } = executed;
  const { operands } = warp.program.code.instructions[at]!;
  const [to, value, ...others] = operands;
  const registers = others.flatMap((each) => (each.kind === 'register' ? [each.register] : []));
  if (registers.some((register) => shades.has(register, mask))) return setAll(executed, ANY);
  const register = value?.kind === 'register' ? value.register : -1;
  const first = 31 - Math.clz32(mask & -mask);
  const isOne = register < 0 || shades.isUniform(register, mask);
  const shade = register < 0 ? null : isOne ? shades.of(register, first) : ANY;
  setAll(executed, null);
  const destination = to?.kind === 'pair' ? to.first : to;
  if (destination?.kind === 'register') shades.set(destination.register, shade, mask, warp.lanes);
}

function computes(executed: Executed): void {
  const { plan, shades, warp, mask, at } = executed;
  if (plan.isFresh) return setAll(executed, ANY);
  let isShaded = false;
  for (const register of plan.reads) isShaded ||= shades.has(register, mask);
  if (plan.usesCarry) {
    const instruction = warp.program.code.instructions[at]!;
    isShaded ||= readsCarry(instruction) && shades.hasCarry;
    if (writesCarry(instruction))
      shades.hasCarry = isShaded || (shades.hasCarry && mask !== warp.lanes);
    return setAll(executed, isShaded ? ANY : null);
  }
  if (!isShaded) return setAll(executed, null);
  // How a value grows may be another in another block.
  if (plan.reads.some((register) => isOfBlock(executed, register))) return setAll(executed, ANY);
  const found = plan.results.map((result) => ofResult(executed, result));
  for (const [index, { register }] of plan.results.entries()) {
    const shade = found[index]!;
    if (Array.isArray(shade)) shades.setEach(register, shade as Shade[], mask, warp.lanes);
    else shades.set(register, shade as Shade, mask, warp.lanes);
  }
}

/** The shade of a result: one for all lanes, or one for each. */
function ofResult(executed: Executed, result: Result): Shade | Shade[] {
  const { shades, warp, mask } = executed;
  const { sources, transfer } = result;
  if (transfer === null) return ANY;
  const { perLane } = warp.registers;
  const isUniform = sources.every(
    ({ register }) => register < 0 || (perLane[register] === 0 && shades.isUniform(register, mask)),
  );
  if (isUniform) return inLane(executed, result, 31 - Math.clz32(mask & -mask));
  const each = Array.from({ length: LANES }, (): Shade => null);
  for (let rest = mask; rest !== 0; rest &= rest - 1) {
    const lane = 31 - Math.clz32(rest & -rest);
    each[lane] = inLane(executed, result, lane);
  }
  return each;
}

function inLane(executed: Executed, { sources, transfer }: Result, lane: number): Shade {
  const inputs = sources.map((source) => inputOf(executed, source, lane));
  if (inputs.every(({ shade }) => shade === null)) return null;
  return transfer!(inputs, { reach: executed.look.reach, part: executed.part });
}

function inputOf({ shades, warp }: Executed, source: Source, lane: number): Input {
  if (source.register < 0) return (source as Extract<Source, { register: -1 }>).input;
  const input = shades.input(warp.registers, source.register, lane);
  const { isNegated } = source as Exclude<Source, { register: -1 }>;
  return isNegated ? { ...input, low: input.low === 0 ? 1 : 0 } : input;
}
