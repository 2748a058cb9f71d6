// Which pointer leads to the data that decides an instruction: a launch can give what it holds.
import { inlineCalls } from '../flow/inline.ts';
import { placeOf } from '../places/place.ts';
import type { Instruction, Operand } from '../text/module.ts';
import { globalAddresses } from './kernel-facts.ts';
import type { Skeleton } from './skeleton.ts';
import { slotsIn } from './skeleton.ts';
import type { Slot } from './slots.ts';

/** The pointers whose data the guard and the operands of an instruction depend on. */
export function pointersBehind(skeleton: Skeleton, at: number): Slot[] {
  const { module, entry, facts } = skeleton;
  const instruction = inlineCalls(module, entry).instructions[at];
  if (instruction === undefined) return [];
  const { guard, operands } = instruction;
  const conditions = facts.flows.conditionsOf(guard?.register ?? -1);
  const all: readonly Operand[] = [...conditions, ...operands];
  const names = new Set(all.flatMap((operand) => [...facts.flows.of(operand).keys()]));
  return slotsIn(skeleton).filter(({ kind, parameter, offset }) => {
    return kind === 'pointer' && names.has(`*${parameter}+${offset}`);
  });
}

/**
 * Whether where an instruction accesses global memory depends on numbers that are not supplied.
 * Instructions of one place of the source are one to findings.
 */
export function isAtGuessedPlace(skeleton: Skeleton, at: number): boolean {
  const { module, entry, facts, supplied } = skeleton;
  const { instructions } = inlineCalls(module, entry);
  const own = instructions[at];
  if (own === undefined) return false;
  const place = placeOf(module, own);
  const isThere = (each: Instruction): boolean => {
    const other = placeOf(module, each);
    return (['file', 'line', 'column'] as const).every((part) => place[part] === other[part]);
  };
  const operands = [
    ...own.operands,
    ...instructions.filter(isThere).flatMap((each) => globalAddresses(each)),
  ];
  const names = new Set(operands.flatMap((operand) => [...facts.flows.of(operand).keys()]));
  return slotsIn(skeleton).some(({ kind, name, parameter, offset }) => {
    const isGuessed = kind === 'number' && !supplied.values.has(name);
    return isGuessed && names.has(`${parameter}+${offset}`);
  });
}

/**
 * The pointer whose word a branch compares with a constant; `null` where it decides by several
 * words, by what is computed of them, or by no data at all.
 */
export function comparedWord(skeleton: Skeleton, at: number): Slot | null {
  const { module, entry, facts } = skeleton;
  const { guard } = inlineCalls(module, entry).instructions[at] ?? {};
  const conditions = facts.flows.conditionsOf(guard?.register ?? -1);
  const words = conditions.flatMap((each) => {
    return [...facts.flows.of(each)].filter(([name]) => name.startsWith('*'));
  });
  const [word] = words;
  const isOne = words.every(([name, { isDirect }]) => isDirect && name === word?.[0]);
  const hasConstant = conditions.some((each) => facts.flows.constants.of(each) !== null);
  if (word === undefined || !isOne || !hasConstant) return null;
  const isOf = ({ parameter, offset }: Slot): boolean => word[0] === `*${parameter}+${offset}`;
  return slotsIn(skeleton).find((slot) => slot.kind === 'pointer' && isOf(slot)) ?? null;
}
