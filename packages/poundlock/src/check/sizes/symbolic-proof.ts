// A proof for every value of a parameter, and whether the kernel depends on the value unnoticed.
import { InputError } from '@poundlock/core/internal/base';
import { Program, SymbolicParameter, type Unfolding } from '@poundlock/core/internal/program';
import { proveByChoices, type Explored } from '../certify/index.ts';
import { executionContext } from '../certify/execution-context.ts';
import type { ProofBounds } from '../certify/prove.ts';
import { pollAssumption } from '../poll-assumption.ts';
import { orRefused, type SizeChecker } from './try-size.ts';

/** The proof for every value, or why the kernel is known for single values alone. */
export type SymbolicProof =
  | { readonly explored: Explored; readonly plainUse: null }
  | { readonly explored: null; readonly plainUse: string };

/**
 * Pairs of plain numbers whose counts are taken for any number: where the kernel does the same with
 * both and with a symbolic value, it does not look at the number in any way that they differ in.
 * The first pair that the kernel accepts is used.
 */
const PROBES = [
  [67, 1_009],
  [960, 1_024],
  [61, 31],
  [64, 32],
  [13, 11],
  [8, 4],
] as const;
/** How many times the events of the first exploration the others may take, and how many more. */
const MORE_EVENTS = 4;
const FEW_EVENTS = 10_000;

/** Memory ends explorations early and changes no operation: only the last of four orders it. */
const WITHOUT_MEMORY: ProofBounds = { memory: 'none' };

/** What one exploration did. */
interface Seen {
  readonly explored: Explored;
  /** Equal for two explorations that went through the same operations. */
  readonly footprint: () => string;
}

/**
 * Explores a kernel for any value of the parameter `every`, which is `least` or more: with two
 * plain numbers, then with a symbolic value, which notices most uses. All three must do the same;
 * then the symbolic value stands for all in the proof, which orders memory, too.
 */
export async function proveSymbolically(
  checker: SizeChecker,
  every: string,
  least: number,
): Promise<SymbolicProof> {
  const { kernel, params } = checker;
  const symbolic = new SymbolicParameter(every, least);
  const used = (): SymbolicProof => ({ explored: null, plainUse: useOf(symbolic) });
  const program = orRefused(
    () => new Program(kernel, params, symbolic, undefined, checker.budget.alarm),
  );
  if (program === null) return used();
  const plain = probes(checker, every, least);
  if (plain === null) return { explored: null, plainUse: `few values of ${every} are accepted` };
  const seen = await explore(plain[0], checker, WITHOUT_MEMORY);
  if (seen?.explored.proof.failure?.condition === 'bound') {
    return symbolic.isUsed ? used() : { explored: seen.explored, plainUse: null };
  }
  const maxEvents = MORE_EVENTS * (seen?.explored.proof.events ?? 0) + FEW_EVENTS;
  const few = { ...WITHOUT_MEMORY, maxEvents };
  const open = await explore(program, checker, few);
  if (symbolic.isUsed) return used();
  const other = await explore(plain[1], checker, few);
  if (open === null || !isSameOpen(plain[0], program) || !areSame(seen, other, open)) {
    const how = 'in a way that is not observable, such as === or typeof';
    return { explored: null, plainUse: `its roles depend on the value of ${every} ${how}` };
  }
  const memory = checker.memory ?? (program.usesMemory ? 'practice' : 'none');
  if (memory === 'none') return { explored: open.explored, plainUse: null };
  const ordered = await explore(program, checker, { memory });
  if (symbolic.isUsed || ordered === null) return used();
  return { explored: ordered.explored, plainUse: null };
}

function areSame(...explorations: readonly (Seen | null)[]): boolean {
  return new Set(explorations.map((seen) => seen?.footprint())).size === 1;
}

/**
 * The same for a kernel whose roles were made, and only count with the parameter: nothing else can
 * depend on its value, so that no plain numbers are tried.
 */
export async function proveCounting(
  checker: SizeChecker,
  every: string,
  least: number,
): Promise<SymbolicProof> {
  const { kernel, params, budget } = checker;
  const symbolic = new SymbolicParameter(every, least);
  const make = () => new Program(kernel, params, symbolic, undefined, budget.alarm);
  const program = orRefused(make);
  const memory = checker.memory ?? (program?.usesMemory === true ? 'practice' : 'none');
  const seen = program === null ? null : await explore(program, checker, { memory });
  if (symbolic.isUsed || seen === null) return { explored: null, plainUse: useOf(symbolic) };
  return { explored: seen.explored, plainUse: null };
}

function useOf({ name, usedAt }: SymbolicParameter): string {
  const place = usedAt ? ` in line ${usedAt.line}` : '';
  return `${name} is used as a plain number${place}`;
}

/** The kernel with two plain numbers, each as the total of its counts for any number. */
function probes(
  { kernel, params, budget }: SizeChecker,
  every: string,
  least: number,
): readonly [Program, Program] | null {
  for (const values of PROBES) {
    const [first, second] = values.map((value) => {
      const open = { from: value, to: value, least };
      return orRefused(
        () => new Program(kernel, params.change({ [every]: value }), null, open, budget.alarm),
      );
    });
    if (first && second) return [first, second];
  }
  return null;
}

/** Whether the same counts are open: a constant may happen to be equal to the plain number. */
function isSameOpen(one: Program, other: Program): boolean {
  const { counts } = other.declarations;
  return one.declarations.counts.every(({ isAny }, at) => counts[at]?.isAny === isAny);
}

/** One exploration; `null` where a role throws. */
async function explore(
  program: Program,
  { budget }: SizeChecker,
  { maxEvents = budget.maxEvents, memory }: ProofBounds,
): Promise<Seen | null> {
  const context = executionContext(program);
  const stop = () => budget.stopReason();
  const { maxStates, pause } = budget;
  const most = Math.min(maxEvents, budget.maxEvents);
  const bounds = { maxEvents: most, maxStates, pause, memory };
  try {
    const explored = withPolls(program, await proveByChoices(program, bounds, stop, context));
    const { events, states, transitions, failure, hasLeftovers } = explored.proof;
    const numbers = [events, states, transitions, failure?.condition, hasLeftovers, explored.lead];
    const footprint = (): string => `${numbers.join(' ')} ${footprintOf(context.unfolding)}`;
    return { explored, footprint };
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** A proof that assumes a poll is none for every value. */
function withPolls(program: Program, explored: Explored): Explored {
  const poll = pollAssumption(program);
  if (poll === null || explored.proof.failure !== null) return explored;
  const failure = { condition: 'unsupported', why: poll.text } as const;
  return { ...explored, proof: { ...explored.proof, failure } };
}

/** Every step with its operation, in the order in which they were unfolded. */
function footprintOf({ nodes: { fields } }: Unfolding): string {
  const words: unknown[] = [];
  for (const { kind, role, instruction } of fields) {
    words.push(kind, role);
    if (instruction === null) continue;
    const { target, arrivals, lanes, threads, bytes, phase, parity, side, past } = instruction;
    const { stored, amount, units, inFlight, choices, reads, writes, barriers } = instruction;
    words.push(instruction.kind, target, arrivals, lanes, threads, bytes, phase, parity, side);
    words.push(past, stored, amount, units, inFlight, choices, reads, writes, barriers);
    const { order, fence, space, isRaw } = instruction;
    words.push(order, fence, space, isRaw);
  }
  return words.join(' ');
}
