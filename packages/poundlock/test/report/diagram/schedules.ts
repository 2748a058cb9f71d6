// Schedules for the tests of diagrams: of real kernels, and random ones that only look like some.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { check } from '#src/check/index';
import { ptxKernel } from '@poundlock/ptx';
import { sourceOf, type DiagramSource } from '#src/report/diagram/index';
import type { Finding, Standing, TraceStep } from '../../../../core/src/finding/index.ts';
import type { Kernel } from '../../../../core/src/program/index.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..', '..');

/** The first finding of a broken example. */
export async function findingOf(name: string): Promise<Finding> {
  const url = pathToFileURL(join(ROOT, 'examples', 'broken', `${name}.ts`)).href;
  const { default: kernel } = (await import(url)) as { default: Kernel };
  const { findings } = await check(kernel, { sizes: 'requested' });
  return findings[0]!;
}

/** The schedule of a broken example. */
export async function scheduleOf(name: string): Promise<DiagramSource> {
  return sourceOf(await findingOf(name))!;
}

/** The schedule of a broken kernel as built. */
export async function ptxScheduleOf(name: string): Promise<DiagramSource> {
  const read = (file: string): { file: string; text: string } => {
    return { file, text: readFileSync(join(ROOT, 'examples', 'ptx', file), 'utf8') };
  };
  const kernel = ptxKernel({ ptx: read(`${name}.sm90a.ptx`), launch: read('launch.json') });
  const { findings } = await check(kernel, { sizes: 'requested' });
  return sourceOf(findings[0]!)!;
}

/** A step of a role that does nothing to be seen, changed as `changes` say. */
export function step(agent: string, verb: string, changes: Partial<TraceStep> = {}): TraceStep {
  const nothing = { effects: [], barriers: [], slots: [] };
  return { agent, kind: 'role', verb, text: verb, ...nothing, ...changes };
}

/** A schedule of these steps in which every role could go on. */
export function source(
  trace: readonly TraceStep[],
  changes: Partial<DiagramSource> = {},
): DiagramSource {
  const roles = new Set(trace.filter(({ kind }) => kind === 'role').map(({ agent }) => agent));
  const standing = [...roles].map((agent): Standing => {
    return { agent, kind: 'role', state: 'continues', text: 'next operation: more' };
  });
  return { trace, standing, message: 'it goes on', cited: [], ...changes };
}

const name = fc.constantFrom('load', 'mma', 'warp0', 'warp1', 'warp2', 'cta1.warp3.lanes1-31');
const unit = fc.constantFrom('tma', 'mma', 'cp.async');
const barrier = fc.record({
  name: fc.constantFrom('full[0]', 'full[1]', 'empty <&"> of CTA 12'),
  phase: fc.nat(9),
  parity: fc.constantFrom(0 as const, 1 as const),
  pending: fc.integer({ min: -2, max: 130 }),
  expected: fc.nat(128),
  txBytes: fc.constantFrom(0, -16, 32_768),
});
const slot = fc.record({
  name: fc.constantFrom('ab[0]', 'ab[1]', 'dyn+0/2048'),
  owners: fc.subarray(['load', 'mma', 'warp1']),
  flights: fc.subarray(['copy of load', 'work of mma']),
});

const anyStep = fc.record({
  agent: name,
  unit,
  isUnit: fc.boolean(),
  verb: fc.constantFrom('wait', 'arrive', 'copy', 'relinquish'),
  line: fc.nat(4),
  barriers: fc.array(barrier, { maxLength: 6 }),
  slots: fc.array(slot, { maxLength: 3 }),
  from: fc.option(fc.nat(30)),
  issues: fc.array(fc.tuple(unit, fc.option(fc.nat(20))), { maxLength: 2 }),
});

const anyStanding = fc.record({
  agent: name,
  kind: fc.constant('role' as const),
  state: fc.constantFrom('waits', 'starves', 'continues', 'ended', 'absent', 'fails' as const),
  owedBy: fc.subarray(['load', 'mma', 'warp2']),
  text: fc.constantFrom('has ended', 'waits for full[0] phase 3: mma still owes an arrival'),
});

/** Any schedule, sensible or not. */
export const anySource: fc.Arbitrary<DiagramSource> = fc
  .record({
    steps: fc.array(anyStep, { maxLength: 90 }),
    repeats: fc.integer({ min: 1, max: 6 }),
    standing: fc.uniqueArray(anyStanding, { selector: ({ agent }) => agent }),
    cited: fc.subarray(['load', 'warp1']),
    isBroken: fc.boolean(),
  })
  .map(({ steps, repeats, standing, cited, isBroken }) => {
    const all = Array.from({ length: repeats }, () => steps).flat();
    const trace = all.map(({ isUnit, unit: of, from, issues, line, ...rest }, at): TraceStep => {
      const kind = isUnit ? 'unit' : 'role';
      const agent = isUnit ? of : rest.agent;
      const text = `${rest.verb} of ${agent} at full[${line}]`;
      const issued = issues.map(([name, after]) => {
        const until = after === null ? 0 : at + 2 + after;
        return { unit: name, ...(until > 0 && until <= all.length && { until }) };
      });
      return {
        ...rest,
        agent,
        kind,
        text,
        effects: [],
        file: 'a.ts',
        line: line + 1,
        column: 1,
        ...(from !== null && from < at && { from: from + 1 }),
        ...(!isUnit && issued.length > 0 && { issues: issued }),
      };
    });
    const broken = isBroken && { broken: { rule: 'race', severity: 'error' as const } };
    return { trace, standing, message: 'what <it> shows & why', cited, ...broken };
  });
