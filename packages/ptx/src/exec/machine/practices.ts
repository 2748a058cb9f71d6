// What a kernel does that the PTX ISA leaves undefined and hardware does as it is meant: a verdict
// counts it as a practice, and the profile `isa` has each place for a mistake.
import type { Assumption, RunFault } from '../../steps/run.ts';
import type { Warp } from '../warp/warp.ts';

/** What each practice is; `opcodes` are the instructions that rely on it. */
const PRACTICES = {
  H17: (opcodes: string) =>
    `${opcodes} in the bytes of an mbarrier that nothing uses any more, without mbarrier.inval`,
  H20: (opcodes: string) =>
    `${opcodes} with a mask that names threads which the block does not have`,
  H23: (opcodes: string) => `${opcodes} counts lanes that have ended as arrived with their warp`,
  H25: (opcodes: string) =>
    `what lanes of a warp read of a clock, or of the machine, by one instruction is one value, ` +
    `which decides ${opcodes}`,
  H21: () => 'ptxas adds the wgmma.fence that registers of wgmma.mma_async need',
} as const;

/** The name of a practice. */
export type Practice = keyof typeof PRACTICES;

/** A place of a warp that relies on a practice: as the profile `isa` has it. */
export function breach(
  { machine, instruction }: Warp,
  practice: Practice,
  fault: Pick<RunFault, 'rule' | 'text' | 'certain'>,
): void {
  const { index: at, opcode } = instruction;
  machine.practices.add(practice, opcode, { ...fault, at, isOfIsa: true });
}

/** The practices that a run relies on, and where. */
export class Practices {
  /** By practice, instruction and sentence: what it is in the profile `isa`. */
  readonly faults = new Map<string, RunFault>();
  readonly #opcodes = new Map<RunFault, readonly [Practice, string]>();

  /** A place that relies on a practice. */
  add(practice: Practice, opcode: string, fault: RunFault): void {
    const key = `${practice}:${fault.at}:${fault.text}`;
    if (this.faults.has(key)) return;
    this.faults.set(key, fault);
    this.#opcodes.set(fault, [practice, opcode]);
  }

  /** An assumption for each practice. */
  get assumptions(): Assumption[] {
    const groups = Map.groupBy(this.faults.values(), (fault) => this.#opcodes.get(fault)![0]);
    return [...groups].map(([practice, faults]) => {
      const opcodes = new Set(faults.map((fault) => this.#opcodes.get(fault)![1]));
      const places = new Set(faults.map(({ at }) => at)).size;
      const what = PRACTICES[practice]([...opcodes].join(', '));
      const count = `${places} ${places === 1 ? 'place' : 'places'}`;
      const text = `${practice} holds, which the PTX ISA does not promise: ${what} (${count})`;
      return { name: practice, at: faults[0]!.at, text };
    });
  }
}
