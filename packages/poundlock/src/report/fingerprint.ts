// A fingerprint of a finding that does not change when the lines around it move.
import type { Finding } from '@poundlock/core/internal/finding';

/** Sizes, phases and stages follow from parameters; names are the user's. */
const NUMBER = /(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?!\w)/g;

/**
 * The rule, the file, the role and the shape of the message, without lines and numbers.
 *
 * @example
 * fingerprint(finding); // deadlock|gemm.ts|load|load and mma wait for each other
 */
export function fingerprint({ rule, message, primary }: Finding): string {
  const shape = message.replaceAll(NUMBER, '#');
  return [rule, primary.file, primary.role ?? '', shape].join('|');
}
