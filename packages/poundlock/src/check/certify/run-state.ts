// The state of one run: the machine's words and what every role knows.
import { Fault, type Flight, type Machine } from '@poundlock/core/internal/machine';
import type { Program } from '@poundlock/core/internal/program';
import { newState, writeInitial, type Registers } from '@poundlock/core/internal/system';
import { Knowledge, type SetId } from './knowledge.ts';
import { CertificateFailure } from './certificate-failure.ts';
import { PlacedKnowledge } from './run-place.ts';
import type { MemoryProfile } from '../options.ts';
import { OpenCopies } from './open-copies.ts';
import { MemoryOrder } from './memory/memory-order.ts';

/** L02: a life that can end too early. */
export const ENDS_IN_USE = 'a CTA, a barrier or memory can end while other roles still access it';

/** How often work that is known to be over is removed from a list. */
const FLIGHTS_PER_REMOVAL = 32;

/** What a program showed in an earlier run, and the next one must make room for. */
export interface LearnedTraits {
  /** By unit: the most groups that a wait leaves open. */
  readonly groups: number[];
  /** Whether a role waits for the end of another. */
  joins: boolean;
  /** Roles that do something else than those that begin like them. */
  readonly asymmetric: Set<number>;
  /** Roles that have tries. */
  readonly trying: Set<number>;
  /** Tries, as steps, and roles all of whose tries are choices (T7). */
  readonly choiceTries: Set<number>;
  readonly choiceRoles: Set<number>;
  /** Whether a try that is a choice ends the proof. */
  areTriesNoChoices: boolean;
  /** The memory profile. */
  memory: MemoryProfile;
  /** Whether threads meet at a barrier behind a fence, and whether that is relied on (H15). */
  fencedMeetings: 'none' | 'seen' | 'relied on';
  /** Whether the order in which registers are taken is a choice (Q04). */
  doTakingsTakeTurns: boolean;
  /** By CTA: the roles that launch the next grid (D01). */
  readonly launchers: Map<number, Set<number>>;
  /** Warnings about memory that are known: others end the run. `null`: none of them does. */
  warned: ReadonlySet<string> | null;
}

export function noTraits(): LearnedTraits {
  return {
    groups: [],
    joins: false,
    asymmetric: new Set(),
    trying: new Set(),
    choiceTries: new Set(),
    choiceRoles: new Set(),
    areTriesNoChoices: false,
    memory: 'none',
    fencedMeetings: 'none',
    doTakingsTakeTurns: false,
    launchers: new Map(),
    warned: null,
  };
}

/** What all parts of a certificate work on. Row `r` of the knowledge is that of role `r`. */
export class RunState {
  readonly program: Program;
  readonly machine: Machine;
  readonly registers: Registers;
  readonly learned: LearnedTraits;
  readonly words: Int32Array;
  readonly know: Knowledge;
  /** By CTA: what others did to it, of which its own roles must know as they end (L02). */
  readonly #foreign: SetId[] = [];
  /** By CTA: its own work in flight, of which one of its roles must know as it ends (L03). */
  readonly #ownWork: SetId[] = [];
  /** By CTA: how much was put there since what its roles know was removed. */
  readonly #sinceRemoval: Int32Array;
  /** Its own copies, which may be going on as it ends; `null` in the profile `isa` (X02). */
  readonly openCopies: OpenCopies | null;
  /** By CTA: its beginning, where CTAs begin apart (X01). */
  readonly #begins: SetId[] = [];
  /** Whether something may be reached that is not there: before its life, or after. */
  mayBeGone: boolean;
  /** Where events are made, in a run that is repeated for that; `null` in others. */
  readonly places: PlacedKnowledge | null;
  /** A row for temporary use. */
  readonly spare: SetId;
  /** Levels of knowing accesses, in a memory profile; `null` without one. */
  readonly memory: MemoryOrder | null;

  constructor(
    program: Program,
    machine: Machine,
    registers: Registers,
    learned: LearnedTraits,
    know = new Knowledge(program.roles.length, liveEvents(program)),
  ) {
    this.know = know;
    this.places = know instanceof PlacedKnowledge ? know : null;
    this.program = program;
    this.machine = machine;
    this.registers = registers;
    this.learned = learned;
    this.words = newState(machine);
    this.spare = this.know.addRow();
    const { barriers, pools } = program.declarations;
    const isLate = barriers.some(({ count }) => count === 0);
    this.mayBeGone = isLate || pools.length > 0 || program.ctas > 1;
    if (program.ctas > 1) {
      for (let cta = 0; cta < program.ctas; cta++) this.#foreign.push(this.know.addList(true));
    }
    for (let cta = 0; cta < program.ctas; cta++) this.#ownWork.push(this.know.addList(true));
    this.#sinceRemoval = new Int32Array(program.ctas);
    const { memory } = learned;
    this.openCopies = memory === 'isa' ? null : new OpenCopies(program, this.know);
    if (memory !== 'none') {
      const apart = program.declarations.launch.begin === 'apart' ? program.ctas : 0;
      for (let cta = 0; cta < apart; cta++) this.#begins.push(this.know.addList(true));
    }
    this.memory = memory === 'none' ? null : new MemoryOrder(program, know, memory, learned);
    this.begin();
  }

  /** Back to before the first operation. */
  begin(): void {
    this.words.fill(0);
    writeInitial(this.machine.shape, this.machine.layout, this.words);
    this.know.reset();
    this.memory?.extra.fill(0);
    for (const [cta, begin] of this.#begins.entries()) {
      this.know.introduce();
      this.know.add(begin);
      for (const [role, { cta: own }] of this.program.roles.entries()) {
        if (own === cta) this.know.add(role);
      }
    }
  }

  /** Whether a list is one of those that only count when all roles have ended. */
  isForeign(list: SetId): boolean {
    return this.#foreign.includes(list);
  }

  /** The last event of `row` is one of CTA `from`, and reaches into CTA `into`. */
  touch(row: SetId, from: number, into: number): void {
    if (from === into) return;
    const begin = this.#begins[into];
    if (begin !== undefined && !this.know.knows(row, begin)) this.memory!.failBegin(into);
    this.know.put(this.#foreign[into]!, row);
  }

  /** The last event of `row` is a flight that uses memory of its own CTA. */
  useOwn(row: SetId, flight: Flight, uses: number): void {
    const { cta } = flight;
    if (flight.mayOutlive && this.openCopies !== null) this.openCopies.use(row, flight, uses);
    else this.know.put(this.#ownWork[cta]!, row);
    if (++this.#sinceRemoval[cta]! >= FLIGHTS_PER_REMOVAL) this.#removeKnown(cta);
  }

  /** What a role of its CTA knows to be over can not outlive the CTA: nothing forgets it. */
  removeKnown(): void {
    for (let cta = 0; cta < this.#ownWork.length; cta++) this.#removeKnown(cta);
  }

  #removeKnown(cta: number): void {
    this.#sinceRemoval[cta] = 0;
    const work = this.#ownWork[cta]!;
    this.program.roles.forEach((role, index) => {
      if (role.cta === cta) this.know.removeKnown(work, index);
    });
    this.openCopies?.removeKnown(cta);
  }

  requireNoFault(): void {
    if (this.machine.fault !== Fault.none) this.failRule();
  }

  failRule(): never {
    throw new CertificateFailure('fault', 'the run violates a rule');
  }

  /** L02, L03: a CTA whose roles have all ended is not reached, from others or by its own work. */
  requireLifetimes(): void {
    const { know, spare } = this;
    this.#foreign.forEach((touches, cta) => {
      know.clear(spare);
      this.program.roles.forEach((role, index) => {
        if (role.cta === cta) know.join(spare, index);
      });
      if (know.knows(spare, touches)) return;
      throw new CertificateFailure('R', 'a CTA can end while other roles still access it', {
        place: `CTA ${cta}`,
        lack: { row: spare, list: touches },
      });
    });
    this.removeKnown();
    this.openCopies?.end();
    const cta = this.#ownWork.findIndex((work) => !know.isEmpty(work));
    if (cta < 0) return;
    know.clear(spare);
    throw new CertificateFailure('R', 'a CTA can end while its own work still uses its memory', {
      place: `CTA ${cta}`,
      lack: { row: spare, list: this.#ownWork[cta]! },
    });
  }
}

/** About how many events matter at one time: one for each barrier, and one for each buffer. */
export function liveEvents({ declarations, ctas }: Program): number {
  return (declarations.barriers.length + declarations.buffers.length) * ctas;
}
