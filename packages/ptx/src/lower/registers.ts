// Registers that warps give and take: all warps of a warpgroup do the same (Q03).
import type { ReferenceRun, WarpSteps } from '../steps/run.ts';
import type { RegistersStep, Step } from '../steps/step.ts';
import type { Lowerings, WarpScope } from './warp-scope.ts';

/** Warps of a warpgroup. */
const WARPS = 4;

/** The number of a warp's warpgroup in its CTA. */
export function warpgroupOf({ warp }: Pick<WarpSteps, 'warp'>): number {
  return Math.floor(warp / WARPS);
}

/** The changes of registers that not all warps of a warpgroup make. */
export class RegisterChanges {
  /** Whether the registers at the launch are known, so that changes count. */
  readonly isKnown: boolean;
  readonly #partial = new Set<RegistersStep>();

  constructor({ registers, warps }: ReferenceRun) {
    this.isKnown = registers !== null;
    const groups = new Map<string, Map<number, WarpSteps[]>>();
    for (const warp of warps) {
      const key = `${warp.cta} ${warpgroupOf(warp)}`;
      const group = groups.get(key) ?? new Map<number, WarpSteps[]>();
      groups.set(key, group);
      group.set(warp.warp, [...(group.get(warp.warp) ?? []), warp]);
    }
    for (const group of groups.values()) this.#compare([...group.values()]);
  }

  /** Whether a change is not one of the whole warpgroup. */
  isPartial(step: RegistersStep): boolean {
    return step.isPartOfWarp === true || this.#partial.has(step);
  }

  /** Notes the first change of a warpgroup that its warps do not make alike. */
  #compare(warps: readonly (readonly WarpSteps[])[]): void {
    const lists = warps.map((strands) => strands.flatMap(({ steps }) => steps.flatMap(changeIn)));
    // What a warp that is stuck would still do is not known.
    const isOpen = warps.map((strands) =>
      strands.some(({ stuck, behind }) => stuck !== null || behind),
    );
    const longest = Math.max(...lists.map(({ length }) => length));
    for (let turn = 0; turn < longest; turn++) {
      const changes = lists.map((list) => list[turn]);
      const first = changes.find((step) => step !== undefined);
      const isSame = changes.every((step, index) => {
        if (step === undefined) return isOpen[index];
        return step.isTaking === first!.isTaking && step.perThread === first!.perThread;
      });
      if (isSame) continue;
      for (const step of changes) if (step !== undefined) this.#partial.add(step);
      return;
    }
  }
}

function changeIn(step: Step): readonly RegistersStep[] {
  if (step.op === 'last') return step.steps.flatMap(changeIn);
  return step.op === 'registers' ? [step] : [];
}

/** The lowering of a change of registers. */
export function registerLowering({ run, actions }: WarpScope): Lowerings<'registers'> {
  return {
    registers: (step) => {
      if (!run.registers.isKnown) return;
      const { at, isTaking, perThread } = step;
      const kind = isTaking ? 'takeRegisters' : 'giveRegisters';
      actions.push({ kind, at, perThread, isPartial: run.registers.isPartial(step) });
    },
  };
}
