// Independent of the review: deletes instructions from the text itself, and checks what is left.
import { check } from '#src/check/index';
import { ptxKernel, type PtxKernelOptions } from '@poundlock/ptx/internal/kernel/kernel';
import type { InstructionPlace, SynchronizationAdvice } from '@poundlock/core/internal/finding';

type Place = Pick<InstructionPlace, 'ptxLine' | 'ptxColumn'>;

/** All places of an advice. */
export function placesOf(advice: SynchronizationAdvice): readonly Place[] {
  return [advice, ...advice.partners];
}

/** The text without instructions; a wait that is left out passes. */
export function withoutPlaces(text: string, places: readonly Place[]): string {
  const lines = text.split('\n');
  const offsets = [0];
  for (const line of lines) offsets.push(offsets.at(-1)! + line.length + 1);
  const starts = places.map(({ ptxLine, ptxColumn }) => offsets[ptxLine - 1]! + ptxColumn - 1);
  let rest = text;
  for (const start of starts.toSorted((a, b) => b - a)) {
    const end = rest.indexOf(';', start);
    const statement = rest.slice(start, end);
    // Its guard, if any, stays and guards what stands in its place.
    const [, predicate] = /^mbarrier\.\w*_wait\S*\s+([%\w$]+)/.exec(statement) ?? [];
    const instead = predicate === undefined ? 'nanosleep.u32 0' : `setp.eq.u32 ${predicate}, 0, 0`;
    rest = rest.slice(0, start) + instead + rest.slice(end);
  }
  return rest;
}

/** The text with waits for fewer groups. */
export function withOpenGroups(text: string, places: readonly Place[], open: number): string {
  const lines = text.split('\n');
  for (const { ptxLine, ptxColumn } of places) {
    const line = lines[ptxLine - 1]!;
    const [head, tail] = [line.slice(0, ptxColumn - 1), line.slice(ptxColumn - 1)];
    lines[ptxLine - 1] = head + tail.replace(/^(\S*wait_group\S*\s+)\d+/, `$1${open}`);
  }
  return lines.join('\n');
}

/** The verdict of a text with all that its launch files allow. */
export async function verdictOf(
  options: PtxKernelOptions,
  text: string,
  memory: 'practice' | 'isa' = 'practice',
): Promise<string> {
  const kernel = ptxKernel({ ...options, ptx: { ...options.ptx, text } });
  const { verdict, scope } = await check(kernel, { memory, accept: ['no-timeout'] });
  if (verdict !== 'certified') return verdict;
  const sizes = scope.sizes.flatMap(({ open }) => open);
  const launches = (scope.launches ?? []).filter((launch) => launch.verdict !== 'certified');
  return sizes.length === 0 && launches.length === 0 ? 'certified' : 'certified in part';
}
