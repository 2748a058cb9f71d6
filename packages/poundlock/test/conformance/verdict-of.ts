// Checks a twin of examples/models and says what a table of verdicts needs to know of the result.
import { join } from 'node:path';
import type { Kernel, ParameterValue } from 'poundlock';
import { check } from 'poundlock/check';
import { withSource } from '#src/cli/program-source';

export type Params = Readonly<Record<string, ParameterValue>>;

export interface OurVerdict {
  readonly isCertified: boolean;
  /** The first finding's rule, and the moves of the shortest schedule that shows an error. */
  readonly rule: string;
  readonly steps: number;
  readonly states: number;
}

const MODELS = join(import.meta.dirname, '../../../../examples/models');

/** The kernel of a file in examples/models, with its text. */
export async function modelKernel(model: string): Promise<Kernel> {
  const file = join(MODELS, `${model}.ts`);
  const { default: kernel } = (await import(file)) as { default: Kernel };
  return withSource(kernel, file);
}

/** Whether a kernel is certified by one engine, or when all may take part. */
export async function isCertifiedBy(
  engine: 'auto' | 'certify',
  kernel: Kernel,
  params: Params,
): Promise<boolean> {
  const { verdict } = await check(kernel, { params, engine });
  return verdict === 'certified';
}

/**
 * Checks a kernel by search; fails when the search ends without a verdict. Other tools know the
 * order of accesses alone, and so nothing of proxies and scopes.
 */
export async function verdictOf(
  kernel: Kernel,
  params: Params,
  engine: 'search' | 'reduced' = 'search',
): Promise<OurVerdict> {
  const { verdict, findings, stats, reason } = await check(kernel, {
    params,
    engine,
    memory: 'none',
    // The models of other tools are made of the same states of loops.
    accept: ['loop-state'],
  });
  if (verdict === 'inconclusive') throw new Error(`${kernel.name} is inconclusive: ${reason}`);
  const errors = findings.filter((finding) => finding.severity === 'error');
  return {
    isCertified: verdict === 'certified',
    rule: errors[0]?.rule ?? '',
    steps: Math.min(...errors.map((finding) => finding.trace?.length ?? 0)),
    states: stats.states,
  };
}
