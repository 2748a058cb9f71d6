// `check --delays`: the schedule of a finding as a PTX text that makes it likely on a GPU.
import { grouped, INSTRUCTION, InputError } from '@poundlock/core/internal/base';
import { fileName, writeAtomically, type Host } from '@poundlock/core/internal/host';
import type { NextOperation } from '@poundlock/core/internal/system';
import { resolve } from 'node:path';
import { explore } from '../explore/index.ts';
import { readKernelText, withDelays } from '../hang/index.ts';
import { readLaunchFile } from '@poundlock/ptx/internal/launch/read-launch';
import type { Planned } from './check-files.ts';
import { ptxOptions } from './load-ptx.ts';

/**
 * Writes the delayed text of the schedule of a finding.
 *
 * @throws InputError where no role is late in it, so that delays cannot force it.
 */
export async function writeDelays(
  { file, kernel, params }: Planned,
  token: string,
  out: string,
  nanoseconds: number,
  host: Host,
): Promise<void> {
  const state = await explore(kernel, params.values, token);
  const last = state.trace.at(-1)?.agent;
  const late = lateOperation(state.operations, state.findings, last);
  const warp = /warp(\d+)/.exec(late?.role ?? '')?.[1];
  const line = late?.ptx?.line ?? late?.line;
  if (late === undefined || warp === undefined || line === undefined)
    throw new InputError(
      '--delays: no warp is late in the schedule of the finding: delays cannot force it',
    );
  const { ptx, launch, entry } = await ptxOptions(file, host);
  const name = entry ?? readLaunchFile(launch.text, launch.file).kernel;
  const text = readKernelText(ptx.text, ptx.file, name);
  const delayed = withDelays(text, line, Number(warp), nanoseconds);
  writeAtomically(out, host.cwd, delayed.text);
  const shown = fileName(resolve(host.cwd, out), host.cwd);
  const places = `${delayed.lines.length} ${delayed.lines.length === 1 ? 'place' : 'places'}`;
  host.stderr.write(
    `poundlock: ${shown}: warp ${warp} sleeps ${grouped(nanoseconds)} ns at ${places}, before it ` +
      `comes to "${late.text}"\n`,
  );
}

/** The operation of the finding that its role has not made yet: the later, the likelier. */
function lateOperation(
  operations: readonly NextOperation[],
  findings: Awaited<ReturnType<typeof explore>>['findings'],
  last: string | undefined,
): NextOperation | undefined {
  const places = findings.flatMap(({ primary, labels }) => [primary, ...labels]);
  const late = places.flatMap((place) =>
    operations.filter(
      (each) => each.role === place.role && each[INSTRUCTION] === place[INSTRUCTION],
    ),
  );
  // What the last step started is what the late operation meets.
  return late.find(({ role }) => role !== last) ?? late[0];
}
