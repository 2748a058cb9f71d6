// What a text compares its numbers with, where it narrows them, and in which steps loops count.
import { operationOf } from '../isa/questions.ts';
import type { Instruction, Operand, PtxFunction } from '../text/module.ts';
import type { Flow, ValueFlows } from './flows.ts';

/** A constant of the text, as a value of the number, and the instruction that has it. */
export interface NumberAt {
  readonly value: number;
  /** The index of the instruction. */
  readonly at: number;
}

/** What a text shows of one number of its launch. */
export interface NumberFacts {
  /** What it is compared with. */
  readonly thresholds: readonly NumberAt[];
  /** From where on bits of it are lost. */
  readonly widths: readonly NumberAt[];
  /** Steps of loops that end at it. */
  readonly strides: readonly number[];
}

/** The same while it is collected. */
interface Collected {
  readonly thresholds: Map<number, NumberAt>;
  readonly widths: Map<number, NumberAt>;
  readonly strides: Set<number>;
}

/** The greatest number that is tried. */
const MOST = 2 ** 31 - 2;

/** What a text shows of its numbers, by their origins. */
export function numberFacts(
  code: PtxFunction,
  flows: ValueFlows,
): ReadonlyMap<string, NumberFacts> {
  const found = new Map<string, Collected>();
  const of = (name: string): Collected => {
    let own = found.get(name);
    if (own === undefined)
      found.set(name, (own = { thresholds: new Map(), widths: new Map(), strides: new Set() }));
    return own;
  };
  const steps = stepsOf(code, flows);
  for (const each of code.instructions) {
    noteThresholds(each, flows, of);
    noteWidth(each, flows, of);
    noteStride(each, flows, steps, of);
  }
  const facts = [...found].map(([name, own]): [string, NumberFacts] => [
    name,
    {
      thresholds: [...own.thresholds.values()],
      widths: [...own.widths.values()],
      strides: [...own.strides],
    },
  ]);
  return new Map(facts);
}

/** Origins of an operand that are numbers of the launch, or data behind its pointers. */
function numbersIn(operand: Operand, flows: ValueFlows): [string, Flow][] {
  return [...flows.of(operand)].filter(([name]) => flows.fields.has(name) || name.startsWith('*'));
}

function isComparison(instruction: Instruction): boolean {
  const operation = operationOf(instruction);
  return operation !== null && COMPARES.has(operation);
}

const COMPARES: ReadonlySet<string> = new Set(['setp', 'set', 'min', 'max']);

/** A comparison with a constant, as a value of the number: `n / 4 < 3` is about 12. */
function noteThresholds(
  instruction: Instruction,
  flows: ValueFlows,
  of: (name: string) => Collected,
): void {
  if (!isComparison(instruction)) return;
  const inputs = instruction.operands.slice(1, 3);
  for (const [index, input] of inputs.entries()) {
    const constant = flows.constants.of(inputs[1 - index]);
    if (constant === null) continue;
    for (const [name, { scale, add, isDirect }] of numbersIn(input, flows)) {
      if (!isDirect && name.startsWith('*')) continue;
      const value = Math.round((constant - add) / scale);
      if (!Number.isFinite(value) || Math.abs(value) > MOST) continue;
      of(name).thresholds.set(value, { value, at: instruction.index });
    }
  }
}

/** How many bits of its input an instruction leaves; `null`: all, or that is not known. */
function bitsLeft(instruction: Instruction, flows: ValueFlows): number | null {
  const { effect, operands } = instruction;
  if (effect.kind !== 'compute') return null;
  const constant = flows.constants.of(operands[2]);
  switch (effect.operation) {
    case 'cvt':
      return effect.types[0]!.class !== 'float' && effect.types[0]!.bits < 32
        ? effect.types[0]!.bits
        : null;
    case 'and':
      return constant === 255 ? 8 : constant === 65_535 ? 16 : null;
    case 'shl':
    case 'shr':
      return constant !== null && constant >= 8 && constant <= 24 ? 32 - constant : null;
    case 'bfe':
      return flows.constants.of(operands[3]);
    case 'bfi':
      return flows.constants.of(operands[4]);
    case 'prmt':
      return 16;
    default:
      return null;
  }
}

function noteWidth(
  instruction: Instruction,
  flows: ValueFlows,
  of: (name: string) => Collected,
): void {
  const bits = bitsLeft(instruction, flows);
  if (bits === null || bits < 4 || bits > 30) return;
  for (const [name, { scale }] of numbersIn(instruction.operands[1]!, flows)) {
    const value = Math.round(2 ** bits / scale);
    if (Number.isFinite(value) && value > 0 && value <= MOST)
      of(name).widths.set(value, { value, at: instruction.index });
  }
}

/** Registers to which a loop adds a constant, with that constant. */
function stepsOf(code: PtxFunction, flows: ValueFlows): ReadonlyMap<number, number> {
  const steps = new Map<number, number>();
  for (const instruction of code.instructions) {
    const [result, first, second] = instruction.operands;
    if (operationOf(instruction) !== 'add' || result?.kind !== 'register') continue;
    const step = flows.constants.of(second);
    if (first?.kind === 'register' && first.register === result.register && step !== null)
      steps.set(result.register, Math.abs(step));
  }
  return steps;
}

function noteStride(
  instruction: Instruction,
  flows: ValueFlows,
  steps: ReadonlyMap<number, number>,
  of: (name: string) => Collected,
): void {
  if (!isComparison(instruction)) return;
  const inputs = instruction.operands.slice(1, 3);
  for (const [index, input] of inputs.entries()) {
    const step = input.kind === 'register' ? steps.get(input.register) : undefined;
    const limit = inputs[1 - index];
    if (step === undefined || step <= 1 || limit === undefined) continue;
    for (const [name, { scale }] of numbersIn(limit, flows)) {
      const value = Math.round(step / scale);
      if (value > 1 && value <= 4096) of(name).strides.add(value);
    }
  }
}
