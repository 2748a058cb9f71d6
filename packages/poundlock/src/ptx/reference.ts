// What a reference run means for a verdict: why there is none, faults, assumptions, coverage.
import type {
  InstructionPlace,
  KernelReference,
  PlacedText,
} from '@poundlock/core/internal/program';
import type { Assumption, ReferenceRun } from './steps/run.ts';

/** The report of a run to the engines; `possible` are the accesses that unknown data decides. */
export function referenceOf(run: ReferenceRun, possible: ReadonlySet<number>): KernelReference {
  const { coverage } = run;
  const placed = ({ text, at }: Pick<Assumption, 'text' | 'at'>): PlacedText => {
    if (at < 0) return { text };
    const { file, line, column } = run.places(at);
    return { text, position: { file, line, column } };
  };
  const [undecided] = run.undecided;
  const placeOf = (at: number): InstructionPlace => {
    const { file, line, column, ptxLine, opcode } = run.places(at);
    return { opcode, textLine: ptxLine, position: { file, line, column } };
  };
  return {
    undecided: undecided === undefined ? null : placed(undecided),
    faults: [
      ...run.faults.map((fault) => ({ rule: fault.rule, ...placed(fault) })),
      ...stuckAt(run).map((each) => ({ rule: 'stuck' as const, ...placed(each) })),
    ],
    assumptions: run.assumptions.map(placed),
    possible: [...possible].map((at) => placed({ text: 'unknown data decides this access', at })),
    coverage: coverage === null ? null : { ...coverage, placeOf },
  };
}

/** Waits at which the run ended: what follows them is not known, so that nothing is proved. */
function stuckAt({ warps }: ReferenceRun): Assumption[] {
  return warps.flatMap(({ warp, stuck }) => {
    if (stuck === null) return [];
    return [{ text: `the run ends while warp ${warp} waits here`, at: stuck.at }];
  });
}
