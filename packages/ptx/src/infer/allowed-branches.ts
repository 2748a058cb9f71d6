// Branches that the allowed data of a launch decides: each value leads the same way.
import { globalAccessOf, operationOf } from '../isa/questions.ts';
import { destinationsOf } from '../flow/destinations.ts';
import { inlineCalls } from '../flow/inline.ts';
import type { AllowedData } from '../launch/allowed-data.ts';
import type { Comparison, Compute } from '../isa/effect.ts';
import type { Instruction, Operand, PtxFunction, PtxModule } from '../text/module.ts';
import { ValueFlows } from './flows.ts';

/** Whether a comparison holds for values; by the words of signed integers. */
const HOLDS: Partial<Record<Comparison, (one: number, other: number) => boolean>> = {
  eq: (one, other) => one === other,
  ne: (one, other) => one !== other,
  lt: (one, other) => one < other,
  le: (one, other) => one <= other,
  gt: (one, other) => one > other,
  ge: (one, other) => one >= other,
};

/** What a comparison with a constant finds for all allowed values; `undefined`: it depends. */
function found(
  comparison: Comparison,
  { from, to, not }: AllowedData,
  constant: number,
): boolean | undefined {
  const isNever = constant < from || constant > to || not.includes(constant);
  if (comparison === 'eq' || comparison === 'ne') {
    if (isNever) return comparison === 'ne';
    return from === to ? comparison === 'eq' : undefined;
  }
  const holds = HOLDS[comparison];
  if (holds === undefined || !Number.isFinite(from + to)) return undefined;
  const ends = [holds(from, constant), holds(to, constant)];
  return ends[0] === ends[1] ? ends[0] : undefined;
}

/** Whether an instruction may write what a pointer leads to. */
function mayWrite(instruction: Instruction, flows: ValueFlows, origin: string): boolean {
  const { effect, operands } = instruction;
  const access = globalAccessOf(instruction);
  const isWrite =
    (access !== null && access.op !== 'load') || (effect.kind === 'copy' && effect.to === 'global');
  return isWrite && operands.some((operand) => flows.of(operand).has(origin));
}

/** Moves that are followed back to a load. */
const MAX_MOVES = 8;

/** Whether each definition of a register is a word behind a pointer: a load of it, or a move. */
function isWord(
  operand: Operand | undefined,
  definitions: ReadonlyMap<number, readonly Instruction[]>,
  moves = 0,
): boolean {
  if (operand?.kind !== 'register' || moves > MAX_MOVES) return false;
  const own = definitions.get(operand.register) ?? [];
  return own.every((each) => {
    const access = globalAccessOf(each);
    if (access !== null) return access.op === 'load' && access.bytes === WORD;
    return operationOf(each) === 'mov' && isWord(each.operands[1], definitions, moves + 1);
  });
}

/** Bytes of a word. */
const WORD = 4;

/** Whether a comparison takes words as the file does: of equality in either way. */
function isOfType({ comparison, types }: Compute, { type }: AllowedData): boolean {
  if (comparison === 'eq' || comparison === 'ne') return true;
  return types[0]?.class === (type === 'i32' ? 'signed' : 'unsigned');
}

/** What branches of a kernel find, by the allowed values of the words behind its pointers. */
export function allowedBranches(
  module: PtxModule,
  entry: PtxFunction,
  allowed: ReadonlyMap<number, AllowedData>,
): (at: number) => boolean | undefined {
  const code = inlineCalls(module, entry);
  const flows = new ValueFlows(code);
  const byOrigin = new Map<string, AllowedData>();
  for (const [index, { offset }] of entry.parameters.entries()) {
    const data = allowed.get(offset);
    const origin = `${index}+0`;
    if (data === undefined || data.type === 'f32') continue;
    if (!code.instructions.some((each) => mayWrite(each, flows, origin)))
      byOrigin.set(`*${origin}`, data);
  }
  const tests = new Map<number, Instruction[]>();
  for (const each of code.instructions)
    for (const register of destinationsOf(each))
      tests.set(register, [...(tests.get(register) ?? []), each]);
  return (at) => {
    const { guard } = code.instructions[at] ?? {};
    const [test, other] = tests.get(guard?.register ?? -1) ?? [];
    if (test === undefined || other !== undefined || test.effect.kind !== 'compute')
      return undefined;
    const { operation, comparison, combination } = test.effect;
    if (operation !== 'setp' || comparison === null || combination !== null) return undefined;
    const constant = flows.constants.of(test.operands[2]);
    const words = [...flows.of(test.operands[1]!)];
    const [word] = words;
    if (constant === null || words.length !== 1 || word === undefined) return undefined;
    const [name, { isDirect, scale, add }] = word;
    const data = byOrigin.get(name);
    if (data === undefined || !isDirect || scale !== 1 || add !== 0) return undefined;
    if (!isWord(test.operands[1], tests) || !isOfType(test.effect, data)) return undefined;
    return found(comparison, data, constant);
  };
}
