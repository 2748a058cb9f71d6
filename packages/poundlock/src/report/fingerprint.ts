// What stays of a finding when the lines around it move: how services know that it is an old one.
import type { Finding } from '@poundlock/core/internal/finding';

/** Sizes, phases and stages follow from parameters; names are the user's. */
const NUMBER = /(?<![\w.])-?\d+(?:,\d{3})*(?:\.\d+)?(?!\w)/g;

/**
 * The rule, the file, the role and the shape of the message, but no line and no number.
 *
 * @example
 * fingerprint(finding); // deadlock|gemm.ts|load|load and mma wait for each other
 */
export function fingerprint({ rule, message, primary }: Finding): string {
  const shape = message.replaceAll(NUMBER, '#');
  return [rule, primary.file, primary.role ?? '', shape].join('|');
}
