// What an address in shared memory is: its variable, and what roles do with a barrier there.
import { formatPosition } from '@poundlock/core/internal/base';
import { isWait, OpKind } from '@poundlock/core/internal/op';
import type { Kernel } from '@poundlock/core/internal/program';
import { isPhaseWait, type KernelText } from './kernel-text.ts';
import { ModelStates } from './model-state.ts';
import { nameOfAddress, placeInOrder } from './shared-names.ts';

/** A place of an address in shared memory. */
export interface SharedAddress {
  /** The block of the cluster; 0 where the address does not say it. */
  readonly rank: number;
  /** The address in the block. */
  readonly within: number;
}

const RANK_SIZE = 1 << 24;
const MAX_RANK = 16;

/** The parts of an address, which may be generic, of a cluster, or of the block. */
export function sharedAddress(address: bigint): SharedAddress {
  const within = Number(address % BigInt(RANK_SIZE));
  const rank = Number((address / BigInt(RANK_SIZE)) % 256n);
  // Above them a generic address has the window of shared memory.
  return { rank: rank < MAX_RANK ? rank : 0, within };
}

/** What is done with a barrier at a place. */
export interface BarrierUse {
  readonly kind: 'init' | 'wait' | 'arrive';
  /** The roles that do it; empty where no launch is known. */
  readonly roles: readonly string[];
  readonly at: string;
}

/** What an address is. */
export interface AddressRole {
  readonly name: string;
  readonly uses: readonly BarrierUse[];
  /** Phases that complete in a run; `null` where no launch is known. */
  readonly phases: number | null;
  /** Arrivals that complete a phase; `null` where no launch is known. */
  readonly count: number | null;
}

/**
 * What an address of a kernel is, by the order of the variables in its PTX; `null` where no
 * variable is there.
 */
export function roleOfAddress(
  text: KernelText,
  { within }: SharedAddress,
  kernel: Kernel | null,
): AddressRole | null {
  const name = nameOfAddress(placeInOrder(text), within);
  if (name === undefined) return null;
  if (kernel === null) return { name, uses: usesInText(text, name), phases: null, count: null };
  return usesInRun(kernel, name);
}

/** The instructions of the text whose address may lie in the variable. */
function usesInText(text: KernelText, name: string): BarrierUse[] {
  const variable = name.replace(/[[+].*$/, '');
  const symbol = text.arrays.find((each) => each.name === variable)?.symbol ?? '';
  return text.code.instructions.flatMap((instruction): BarrierUse[] => {
    const { effect, line } = instruction;
    if (effect.kind !== 'mbarrier') return [];
    const symbols = text.variablesOf(instruction);
    if (symbols !== null && !symbols.has(symbol)) return [];
    const source = text.sourceOf(line);
    const at = source === undefined ? `line ${line}` : `${source.file}:${source.line}`;
    if (effect.op === 'init') return [{ kind: 'init', roles: [], at }];
    if (isPhaseWait(instruction)) return [{ kind: 'wait', roles: [], at }];
    return effect.op.startsWith('arrive') ? [{ kind: 'arrive', roles: [], at }] : [];
  });
}

/** What roles do with a barrier in one run of the model. */
function usesInRun(kernel: Kernel, name: string): AddressRole {
  const { schedule, states } = new ModelStates(kernel).run();
  const { system, names } = schedule;
  const uses = new Map<string, { kind: BarrierUse['kind']; roles: Set<string>; at: string }>();
  const isNamed = (barrier: number): boolean =>
    barrier >= 0 && names.barrier(barrier).replace(/ of CTA \d+$/, '') === name;
  const add = (kind: BarrierUse['kind'], role: number, step: number): void => {
    const position = system.steps.position(step);
    const at = position === undefined ? '?' : formatPosition(position);
    const key = `${kind} ${at}`;
    const use = uses.get(key) ?? { kind, roles: new Set(), at };
    use.roles.add(names.agent(role));
    uses.set(key, use);
  };
  const note = (role: number, step: number): void => {
    const instruction = step < 0 ? null : system.steps.instruction(step);
    if (instruction === null) return;
    const isOfWait = isWait(instruction.kind);
    if (isOfWait && isNamed(system.waits.testedBarrier(schedule.words, instruction)))
      add('wait', role, step);
    else if (instruction.kind === OpKind.init && isNamed(instruction.target))
      add('init', role, step);
    else if (instruction.barriers.some(isNamed)) add('arrive', role, step);
  };
  for (const { agent, step } of schedule.records) if (agent < system.roles) note(agent, step);
  // A role that is stuck has not made its wait.
  for (let role = 0; role < system.roles; role++) note(role, schedule.words[role]!);
  const barrier = states.barriers.find((each) => each.name.replace(/ of CTA \d+$/, '') === name);
  return {
    name,
    uses: [...uses.values()].map(({ kind, roles, at }) => ({ kind, roles: [...roles], at })),
    phases: barrier?.phase ?? null,
    count: barrier?.expected ?? null,
  };
}
