// Small kernels that several tests use, and a way to find out what `check` says of them.
import { check, type CheckOptions } from '#src/check/index';
import type { CheckResult } from '../../core/src/finding/index.ts';
import { arrive, barrier, buffer, kernel, read, role, waitParity, write } from 'poundlock';
import type { Kernel } from 'poundlock';

/** One value handed over once: two parties, one barrier, no way back. */
export const handOver: Kernel = kernel('hand-over', { arrivals: 1 }, ({ arrivals }) => {
  const full = barrier('full', { count: arrivals });
  const slot = buffer('slot');
  return [
    role('producer', function* () {
      write(slot);
      arrive(full);
    }),
    role('consumer', function* () {
      yield* waitParity(full, 0);
      read(slot);
    }),
  ];
});

/** The rules that `check` finds, the first one first. */
export async function rulesOf(target: Kernel, options?: CheckOptions): Promise<string[]> {
  const { findings } = await check(target, options);
  return findings.map((finding) => finding.rule);
}

/** Checks a kernel of one role. */
export async function checkRole(
  body: Parameters<typeof role>[1] & (() => Generator),
): Promise<CheckResult> {
  return check(kernel('one-role', {}, () => [role('only', body as never)]));
}
