// Parameters with a declared range: which whole numbers a kernel accepts.
import { currentPosition, InputError, option, optionTable, requireOptions } from '../base/index.ts';
import type { OptionsOf } from '../base/index.ts';

export const INTEGER = optionTable({
  /** The smallest value; 0 unless specified. */
  min: option.amount,
  /** The greatest value; none unless specified. */
  max: option.amount,
  /** Every value is a multiple of it; 1 unless specified. */
  multipleOf: option.amount,
});

/** Options of {@link integer}. */
export interface IntegerOptions extends OptionsOf<typeof INTEGER> {}

/** The default of a parameter that accepts some whole numbers: see {@link integer}. */
export class IntegerParameter {
  /** The default value. */
  readonly value: number;
  /** The smallest value. */
  readonly min: number;
  /** The greatest value. */
  readonly max: number;
  /** Every value is a multiple of it. */
  readonly multipleOf: number;

  /** @internal */
  constructor(value: number, { min = 0, max = Infinity, multipleOf = 1 }: IntegerOptions) {
    this.value = value;
    this.min = min;
    this.max = max;
    this.multipleOf = multipleOf;
  }

  /**
   * Whether the kernel accepts `value`.
   *
   * @internal
   */
  accepts(value: number): boolean {
    const isInRange = value >= this.min && value <= this.max;
    return Number.isSafeInteger(value) && isInRange && value % this.multipleOf === 0;
  }

  /**
   * `a multiple of 2 from 2 to 64`.
   *
   * @internal
   */
  get text(): string {
    const { min, max, multipleOf } = this;
    const what = multipleOf === 1 ? 'a whole number' : `a multiple of ${multipleOf}`;
    return max === Infinity ? `${what} of at least ${min}` : `${what} from ${min} to ${max}`;
  }
}

/**
 * Declares a parameter that accepts whole numbers of a range. A value outside of it is refused, and
 * `check` tries none.
 *
 * @throws InputError for a range that is empty, or a default outside of it.
 *
 * @example
 * import { count, integer, kernel, role } from 'poundlock';
 *
 * const splits = integer(2, { min: 1, max: 16 });
 * export default kernel('splits', { splits }, ({ splits }) => {
 *   const items = count(splits);
 *   return [
 *     role('reduce', function* () {
 *       while (yield* items.more());
 *     }),
 *   ];
 * });
 */
export function integer(value: number, options: IntegerOptions = {}): IntegerParameter {
  requireOptions('integer()', INTEGER, options);
  const { min = 0, max = Infinity, multipleOf = 1 } = options;
  const isRange = Number.isSafeInteger(min) && (max === Infinity || Number.isSafeInteger(max));
  if (!isRange || max < min || !Number.isSafeInteger(multipleOf) || multipleOf < 1) {
    throw new InputError(
      `the range of a parameter must be whole numbers with min ≤ max and multipleOf ≥ 1, not ` +
        `min ${min}, max ${max}, multipleOf ${multipleOf}`,
      currentPosition(),
    );
  }
  const parameter = new IntegerParameter(value, options);
  if (parameter.accepts(value)) return parameter;
  throw new InputError(
    `the default of a parameter must be ${parameter.text}, not ${value}`,
    currentPosition(),
  );
}
