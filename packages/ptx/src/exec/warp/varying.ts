// What is unknown after instructions that data decides: one value for all lanes, or one for each.
import { readsOf } from '../../flow/liveness.ts';
import type { Region } from './quiet-region.ts';
import { accessOf, variationOf } from '../../isa/questions.ts';
import type { Instruction, Operand } from '../../text/module.ts';
import { mix, start, vary } from '../../values/terms.ts';
import type { Wide } from '../../values/wide.ts';
import type { Program } from './program.ts';
import { destinationsOf } from '../../flow/destinations.ts';
import type { Warp } from './warp.ts';

/** Registers of which lanes may have a value each. */
export interface Varying {
  has(register: number): boolean;
}
/** All of them: each lane has a value of its own. */
export const OF_LANES: Varying = { has: () => true };
/** None: lanes have one value. */
export const OF_ALL: Varying = { has: () => false };

const out: Wide = { low: 0, high: 0 };

/** Makes registers unknown in some lanes. */
export function forget(
  { registers: file, machine, lanes }: Warp,
  registers: readonly number[],
  mask: number,
  seed: number,
  varying: Varying,
): void {
  for (const register of registers) {
    start(out, seed);
    mix(out, register, machine.fresh(), 1);
    if (varying.has(register)) vary(out);
    file.setUniform(register, out, false, mask, lanes);
  }
}

/** Special registers that an instruction reads. */
function specialsOf({ operands }: Instruction): string[] {
  const list: string[] = [];
  const visit = (operand: Operand): void => {
    if (operand.kind === 'special') list.push(operand.name);
    else if (operand.kind === 'vector' || operand.kind === 'list') operand.elements.forEach(visit);
    else if (operand.kind === 'address') [operand.base, ...operand.more].forEach(visit);
  };
  operands.forEach(visit);
  return list;
}

/** What an instruction reads, in registers of the warp. */
function inputsOf(program: Program, instruction: Instruction): number[] {
  const names = new Set(specialsOf(instruction));
  const specials = program.specials.filter(({ name }) => names.has(name));
  return [...readsOf(instruction), ...specials.map(({ register }) => register)];
}

/** Whether lanes may have a result each, whatever they read: a generic load may be of their own. */
function isEach(instruction: Instruction): boolean {
  const access = accessOf(instruction);
  const mayBeLocal = access?.op === 'load' && access.space === 'generic' && !access.isUniform;
  return mayBeLocal || variationOf(instruction) === 'by lane';
}

/** Whether lanes may have a result each of an instruction that some data decides. */
export function isResultVarying(warp: Warp, at: number, mask: number): boolean {
  const { program, registers } = warp;
  const instruction = program.code.instructions[at]!;
  if (isEach(instruction)) return true;
  const inputs = [...inputsOf(program, instruction), ...destinationsOf(instruction)];
  return inputs.some((register) => !registers.isUniform(register, mask));
}

/** Of the registers that a region writes those that lanes may have a value each of. */
export function varyingAfter(
  warp: Warp,
  branch: Instruction,
  mask: number,
  region: Region,
): Varying {
  const { program, registers } = warp;
  const { instructions } = program.code;
  const all = new Set(region.writes);
  if (inputsOf(program, branch).some((register) => !registers.isUniform(register, mask)))
    return all;
  const varying = new Set(region.writes.filter((register) => !registers.isUniform(register, mask)));
  const isVarying = (register: number): boolean =>
    varying.has(register) || (!all.has(register) && !registers.isUniform(register, mask));
  for (let size = -1; size < varying.size;) {
    size = varying.size;
    for (const at of region.instructions) {
      const instruction = instructions[at]!;
      const isOne = variationOf(instruction) === 'none';
      if (!isEach(instruction) && (isOne || !inputsOf(program, instruction).some(isVarying)))
        continue;
      // Lanes that go different ways write what the others do not.
      if (instruction.targets.length > 0) return all;
      for (const register of program.destinations[at]!) varying.add(register);
    }
  }
  return varying;
}
