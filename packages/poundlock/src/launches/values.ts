// Which values of the numbers of a launch are tried: ordinary ones of all numbers at once, and then
// one number at a time at values that its text is likely to decide by.
import type { NumberAt } from '@poundlock/ptx/internal/infer/number-facts';
import type { Slot } from '@poundlock/ptx/internal/infer/slots';

/** Why a value is tried. */
export type ValueRole = 'ordinary' | 'given' | 'small' | 'threshold' | 'width';

/** A value of one number, with the others at ordinary values. */
export interface SpecialValue {
  readonly slot: Slot;
  readonly value: number;
  readonly role: ValueRole;
  /** The instruction that it is near to; -1: none. */
  readonly at: number;
  /** The constant of the text that it is near to. */
  readonly constant: number;
}

/** Values that all numbers have at once: the first two that fit are ordinary. */
export const ORDINARY = [512, 768] as const;
/** The most of a number of one byte. */
const MAX_OF_BYTE = 1;
/** Values that a number of the launch may have. */
const MOST = 2 ** 31 - 1;
/** Stages where the run shows none. */
const SOME_STAGES = 3;

/** What is ordinary where the first values do not end, or do not fit. */
export function smallerOrdinary(stages: readonly number[]): number[] {
  const most = Math.max(SOME_STAGES, ...stages);
  return [2 * most + 1, 4 * most + 1, 64, 128, 16, 5];
}

/** A value within the width of a number. */
export function within({ bytes }: Slot, value: number): number {
  if (bytes === 1) return Math.min(MAX_OF_BYTE, value);
  return bytes === 2 ? Math.min(2 ** 15 - 1, value) : value;
}

/** The special values of one number, the likeliest first. */
export function specialValues(slot: Slot, stages: readonly number[]): SpecialValue[] {
  const found = new Map<number, SpecialValue>();
  const add = (value: number, role: ValueRole, { at, value: constant }: NumberAt): void => {
    const isOrdinary = ORDINARY.some((each) => each === value);
    if (value < 0 || value > MOST || isOrdinary || within(slot, value) !== value) return;
    if (!found.has(value)) found.set(value, { slot, value, role, at, constant });
  };
  const none = { value: 0, at: -1 };
  const { thresholds, widths, strides } = slot.facts;
  for (const value of [0, 1, 2, 3]) add(value, 'small', none);
  for (const near of thresholds)
    for (const by of [0, 1, -1]) add(near.value + by, 'threshold', near);
  for (const near of widths) for (const by of [0, -1, 1]) add(near.value + by, 'width', near);
  for (const each of stages.length === 0 ? [SOME_STAGES] : stages) {
    for (const value of [each - 1, each, each + 1, 2 * each, 2 * each + 1])
      add(value, 'small', none);
    for (const stride of strides)
      for (const rounds of [1, each - 1, each, each + 1]) add(stride * rounds, 'small', none);
  }
  add(5, 'small', none);
  return [...found.values()];
}

/** Lists of special values, one of each number in turn. */
export function inTurns(lists: readonly (readonly SpecialValue[])[]): SpecialValue[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, turn) => turn).flatMap((turn) => {
    return lists.flatMap((list) => list[turn] ?? []);
  });
}
