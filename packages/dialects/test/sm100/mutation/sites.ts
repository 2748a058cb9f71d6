// What a program's roles do, operation by operation, and which mutants that gives.
import { CATALOGUE } from '@poundlock/core/internal/op';
import { Program, type RecordedStep } from '@poundlock/core/internal/program';
import type { ParameterValue } from '@poundlock/core/internal/finding';
import type { Kernel } from 'poundlock';
import { labelOf, recordedRun } from '../steps.ts';
import { faultsOf, type OpSite } from './faults.ts';
import { isCounted, type Mutation } from './mutate.ts';

export interface Site extends Mutation {
  /** What the mutant does, for people: `load: drop, arrive input.full`. */
  readonly name: string;
}

/**
 * The mutants of a program: for every role, and every kind of thing that it does to one ring, pool
 * or barrier, each fault in the middle of its times, when all rings have gone round.
 */
export function sitesOf(kernel: Kernel, params: Record<string, ParameterValue>): Site[] {
  const program = new Program(kernel, params);
  const lists = recordedRun(program);
  return lists.flatMap((list, role) => {
    const counted = list.filter(({ instruction }) => isCounted(instruction!.kind));
    const groups = new Map<string, number[]>();
    for (const [call, step] of counted.entries()) {
      const label = labelOf(program, step);
      groups.set(label, [...(groups.get(label) ?? []), call]);
    }
    return [...groups].flatMap(([label, calls]) => {
      // An odd time: of two alike in a row, the first may be there for the second alone.
      const call = calls[calls.length === 1 ? 0 : (calls.length >> 1) | 1]!;
      return mutantsAt(program, role, counted, call, label);
    });
  });
}

function mutantsAt(
  program: Program,
  role: number,
  list: readonly RecordedStep[],
  call: number,
  label: string,
): Site[] {
  const isYielded = (at: number): boolean => {
    const { kind } = list[at]!.instruction!;
    return CATALOGUE[kind]!.yields;
  };
  const { instruction } = list[call]!;
  const { kind, arrivals, lanes, isDraining, bytes, barriers, flights } = instruction!;
  const site: OpSite = {
    kind,
    arrivals,
    lanes,
    isDraining,
    bytes,
    cta: instruction!.cta,
    barriers: barriers.length,
    ctas: Math.max(barriers.length, flights.length),
    hasNeighbour: call > 0 && !isYielded(call) && !isYielded(call - 1),
    hasWaitAfter: list.some((_, at) => at > call && isYielded(at)),
  };
  const { name } = program.roles[role]!;
  return faultsOf(site, program).map((fault) => {
    return { role, call, fault, name: `${name}: ${fault.name}, ${label}` };
  });
}
