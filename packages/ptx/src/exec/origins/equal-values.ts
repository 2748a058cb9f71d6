// Stored values that count as equal: where they are computed from the place of the block, that is
// so in the block that was executed, and has to be so in all others that it stands for.
import { isSame, OPAQUE } from '../../values/origin.ts';
import type { Inputs, Origin, Place } from '../../values/origin.ts';
import { anyOf, constantOf, exactly, stillIf } from '../../values/reach.ts';
import type { Reach } from '../../values/reach.ts';
import type { Wide } from '../../values/wide.ts';
import type { Warp } from '../warp/warp.ts';
import { originOf } from './expressions.ts';
import type { StoredValue } from '../../steps/stored-value.ts';

const one: Wide = { low: 0, high: 0 };
const two: Wide = { low: 0, high: 0 };

/** What a lane stores, where it is computed from the place of the block. */
export function storedValue(
  { machine: { blocks }, registers, instruction }: Warp,
  register: number,
  lane: number,
  { low, high }: Wide,
  isKnown: boolean,
): StoredValue | null {
  if (blocks === null || registers.depends[register] === 0) return null;
  const origin = originOf(registers, register);
  return { origin, lane, low, high, isKnown, at: instruction.index, decisions: blocks };
}

/**
 * Two values count as equal; `null` stands for one that all blocks have.
 *
 * @param byte The byte of each that is compared; −1: all of them.
 */
export function countAsEqual(
  first: StoredValue | null,
  second: StoredValue | null,
  byte = -1,
  otherByte = byte,
): void {
  const value = first ?? second;
  if (value === null) return;
  const other = first === null ? null : second;
  const isUniform = value.origin.isUniform || value.lane === other?.lane;
  if (other !== null && isUniform && byte === otherByte && isSame(value.origin, other.origin))
    return;
  value.decisions.equal(value.at, equality(value, other, byte, otherByte));
}

/** Whether two values are equal, or one is what it is in the block that was executed. */
function equality(
  value: StoredValue,
  other: StoredValue | null,
  byte: number,
  otherByte: number,
): Origin {
  const { low, high, isKnown } = value;
  const inputs = other === null ? [value.origin] : [value.origin, other.origin];
  if (inputs.includes(OPAQUE)) return OPAQUE;
  return {
    axes: inputs.reduce((axes, input) => axes | input.axes, 0),
    from: inputs.reduce((from, input) => from | input.from, 0),
    isUniform: true,
    inputs,
    rule: {},
    evaluate: (values: Inputs, _lane: number, _place: Place, out: Wide) => {
      const isFirst = values.read(0, value.lane, one);
      let isSecond = isKnown;
      if (other === null) {
        two.low = low;
        two.high = high;
      } else isSecond = values.read(1, other.lane, two);
      const isEqual = byteOf(one, isFirst, byte) === byteOf(two, isSecond, otherByte);
      out.low = isEqual ? 1 : 0;
      out.high = 0;
      return true;
    },
    reach: (all) => {
      const inputs = all as readonly Reach[];
      const [first, second = exactly(low + (high | 0) * 2 ** 32)] = inputs;
      const isOne = constantOf(first!) !== null && constantOf(first!) === constantOf(second);
      return isOne ? exactly(1) : anyOf(1, stillIf(...inputs));
    },
  };
}

/** What a value, or one byte of it, is: equal ones have the same name. */
function byteOf({ low, high }: Wide, isKnown: boolean, byte: number): string {
  if (byte < 0 || !isKnown) return `${isKnown} ${byte} ${low} ${high}`;
  return `${((byte < 4 ? low : high) >>> (8 * (byte % 4))) & 0xff}`;
}
