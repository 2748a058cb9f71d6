// Barriers in a certificate: what waits, arrivals and bytes do to the knowledge of every role.
//
// Arrivals and completions go to the functions of `machine/barrier.ts` directly. `Machine.arriveAt`
// makes a run up to 17 % slower, and what it checks beside them holds here: conditions R say that
// the barrier can be reached, and no flight is ever open (M11).
import { unreachable } from '@poundlock/core/internal/base';
import {
  Alias,
  aliasOf,
  arrive,
  E,
  Fault,
  FlightKind,
  isGlobalBarrier,
  K,
  MAX_PENDING,
  P,
  signal,
  T,
} from '@poundlock/core/internal/machine';
import type { Flight, Instruction } from '@poundlock/core/internal/machine';
import { OpKind } from '@poundlock/core/internal/op';
import { BarrierHistory, type Condition } from './barrier-history.ts';
import type { SetId } from './knowledge.ts';
import { ENDS_IN_USE, type RunState } from './run-state.ts';
import { CertificateFailure } from './certificate-failure.ts';

/** Contributions to a barrier beside plain arrivals. */
type SignalledKind = typeof OpKind.arriveDrop | typeof OpKind.expectTx | typeof OpKind.completeTx;

/** All barriers of a run, each with its history. */
export class Barriers {
  readonly #run: RunState;
  readonly #histories: BarrierHistory[] = [];
  readonly #at: Int32Array;
  readonly #ctas: number;
  /** By barrier: the bytes that the open phase expects in total. Part of the state. */
  readonly expected: Int32Array;
  /** Whether some barrier has been initialized by the program. */
  #hasBirths = false;

  constructor(run: RunState) {
    this.#run = run;
    const { machine, program } = run;
    this.#ctas = program.ctas;
    const count = program.declarations.barriers.length * program.ctas;
    this.expected = new Int32Array(count);
    this.#at = Int32Array.from({ length: count }, (_, barrier) => machine.barrierAt(barrier));
    for (let barrier = 0; barrier < count; barrier++) {
      const isCounter = machine.modeOf(barrier) === 'counter';
      const keepsPhases = isCounter && isGlobalBarrier(machine.shape, barrier);
      this.#histories.push(new BarrierHistory(run.know, isCounter, keepsPhases));
    }
  }

  /** Whether a wait for `phase` passes now (M07, M09). */
  passes(barrier: number, phase: number): boolean {
    return this.#run.machine.passes(this.#run.words, barrier, phase);
  }

  /** The phases of a barrier that have completed. */
  completed(barrier: number): number {
    return this.#run.words[this.#at[barrier]! + K]!;
  }

  /** `row` comes to a wait; `false` while it has to wait. */
  wait(row: SetId, cta: number, barrier: number, phase: number, isRaw: boolean): boolean {
    if (!this.passes(barrier, phase)) return false;
    this.requireStanding(row, cta, barrier, phase, isRaw);
    if (this.#histories[barrier]!.keepsPhases) this.#observePhase(row, barrier, phase);
    else this.observe(row, cta, barrier);
    return true;
  }

  /** L and the rules of waits (M02, M10) for `row`, which stands at a wait or a try. */
  requireStanding(row: SetId, cta: number, barrier: number, phase: number, isRaw: boolean): void {
    const history = this.#histories[barrier]!;
    if (this.#run.mayBeGone) this.requireLife(row, cta, barrier);
    const completed = this.#run.words[this.#at[barrier]! + K]!;
    if (!isRaw || history.isCounter) {
      if (history.isCounter && completed > phase + 1 && !history.keepsPhases) {
        throw new CertificateFailure('L', 'a counter can advance beyond the phase of a wait');
      }
      if (!history.isCounter && aliasOf(completed, phase) !== Alias.none) {
        throw new CertificateFailure(
          'fault',
          'a wait can observe a different phase than the one it names',
        );
      }
    }
    // A try may test a phase that is still open.
    const isOver = isRaw || completed > phase;
    if (!history.permits(row, isOver)) this.#fail('L', barrier, row);
  }

  /** A wait or a try of `row` passes: it has seen the last phase complete. */
  observe(row: SetId, cta: number, barrier: number): void {
    this.#histories[barrier]!.observe(row);
    if (this.#ctas > 1) this.#touch(row, cta, barrier);
    this.#run.memory?.observe(row, barrier);
  }

  /** C02: a wait passes at a counter in memory, which may be phases further on. */
  #observePhase(row: SetId, barrier: number, phase: number): void {
    if (phase < 0) return;
    this.#histories[barrier]!.observePhase(row, phase);
    this.#run.memory?.observe(row, barrier, phase);
  }

  /** A try of `row` answers no: it has reached the barrier, and learned nothing. */
  reach(row: SetId, cta: number, barrier: number): void {
    this.#run.know.event(row);
    if (this.#ctas > 1) this.#touch(row, cta, barrier);
  }

  /** R08: a wait that is skipped, where the phase must be over in every run. */
  assume(row: SetId, cta: number, barrier: number, phase: number): void {
    this.requireLife(row, cta, barrier);
    const completed = this.#run.words[this.#at[barrier]! + K]!;
    const phasesBack = completed - phase - 1;
    if (phasesBack < 0 || !this.#histories[barrier]!.isOver(row, phasesBack)) {
      throw new CertificateFailure('L', 'a wait is skipped whose phase may not have completed');
    }
    this.reach(row, cta, barrier);
  }

  /** M03: arrivals of a role, which may expect bytes. */
  arrive(role: SetId, { barriers, bytes, cta, arrivals, lanes }: Instruction): void {
    const { know, words } = this.#run;
    if (bytes < 0)
      throw new CertificateFailure('unsupported', 'the number of expected bytes is negative');
    know.event(role);
    for (let i = 0; i < barriers.length; i++) {
      const barrier = barriers[i]!;
      this.#contribute(role, cta, barrier, true);
      const at = this.#at[barrier]!;
      const completed = words[at + K]!;
      if (bytes > 0) this.#expect(barrier, bytes);
      if (arrive(words, at, arrivals, lanes, bytes) !== Fault.none) this.#run.failRule();
      if (words[at + K] !== completed) this.#complete(barrier, completed);
    }
  }

  /** M04, M05: expected and completed bytes of a role, and arrivals that are its last. */
  signal(role: SetId, kind: SignalledKind, instruction: Instruction): void {
    const { barriers, bytes, cta } = instruction;
    const { know, machine, words } = this.#run;
    const isArrival = kind === OpKind.arriveDrop;
    if (!isArrival) this.#requireBytes(bytes);
    machine.fault = Fault.none;
    know.event(role);
    for (const barrier of barriers) {
      this.#contribute(role, cta, barrier, isArrival);
      if (kind === OpKind.expectTx) {
        this.#histories[barrier]!.expect(role);
        this.#expect(barrier, bytes);
      }
      const completed = words[this.#at[barrier]! + K]!;
      switch (kind) {
        case OpKind.arriveDrop:
          machine.dropAt(words, barrier, cta, instruction.arrivals);
          break;
        case OpKind.expectTx:
          machine.bytesAt(words, barrier, cta, bytes);
          break;
        case OpKind.completeTx:
          machine.bytesAt(words, barrier, cta, -bytes);
          break;
        default:
          return unreachable(kind);
      }
      this.#run.requireNoFault();
      if (words[this.#at[barrier]! + K] !== completed) this.#complete(barrier, completed);
    }
  }

  /** U08: the open phases wait for one more signal each, which an arrival of them must know. */
  expectSignal(role: SetId, { barriers, cta, arrivals }: Instruction): void {
    const { know, words } = this.#run;
    know.event(role);
    for (const barrier of barriers) {
      this.#contribute(role, cta, barrier, false);
      this.#histories[barrier]!.expect(role);
      words[this.#at[barrier]! + P]! += arrivals;
      if (words[this.#at[barrier]! + P]! > MAX_PENDING) this.#run.failRule();
    }
  }

  /** A flight with row `row` signals a barrier as it completes; `issuer` has issued it. */
  completeFlight(row: SetId, issuer: SetId, flight: Flight): void {
    const { words } = this.#run;
    const { kind, barrier, cta, bytes } = flight;
    const at = this.#at[barrier]!;
    const isSignal = kind === FlightKind.signal;
    if (!isSignal) {
      this.#requireBytes(bytes);
      this.#requireHolds(this.#histories[barrier]!.issue(issuer), barrier, issuer);
    }
    this.#contribute(row, cta, barrier, isSignal);
    const completed = words[at + K]!;
    if (signal(words, at, flight) !== Fault.none) this.#run.failRule();
    if (words[at + K] !== completed) this.#complete(barrier, completed);
  }

  /** Everything that reached the barrier must come before where `row` stands (M02). */
  requireLeft(row: SetId, barrier: number): void {
    if (this.#histories[barrier]!.isLeftBefore(row)) return;
    const lack = this.#histories[barrier]!.lackOf('R', row);
    throw new CertificateFailure('R', ENDS_IN_USE, { place: this.#nameOf(barrier), lack });
  }

  /** `row` ends the life of a barrier (M02), which must be known where the next one begins. */
  end(row: SetId, barrier: number): void {
    this.#histories[barrier]!.end(row);
  }

  /** A new life of a barrier begins with an event of `row`. */
  begin(row: SetId, barrier: number): void {
    this.#hasBirths = true;
    this.#histories[barrier]!.begin(row);
    this.#run.memory?.init(barrier);
  }

  /** D: no bytes are missing or left over. */
  requireEnd(): void {
    for (const at of this.#at) {
      if (this.#run.words[at + T] === 0) continue;
      throw new CertificateFailure('D', 'bytes are missing or left over at the end');
    }
  }

  /** The proof counts on every completion, so that each must bring something. */
  #requireBytes(bytes: number): void {
    if (bytes <= 0) throw new CertificateFailure('unsupported', 'an operation completes no bytes');
  }

  #contribute(row: SetId, cta: number, barrier: number, isArrival: boolean): void {
    const history = this.#histories[barrier]!;
    if (this.#run.mayBeGone) this.requireLife(row, cta, barrier);
    const failed = history.contribute(row, isArrival);
    if (failed !== null) this.#fail(failed, barrier, row);
    if (this.#ctas > 1) this.#touch(row, cta, barrier);
    this.#run.memory?.contribute(barrier);
  }

  /** A phase of a barrier is over, of which `before` were. */
  #complete(barrier: number, before: number): void {
    const { words } = this.#run;
    const at = this.#at[barrier]!;
    // What is left of a signal that ends a phase belongs to the next, where M knows nothing of it.
    if (words[at + K]! > before + 1 || words[at + P] !== words[at + E] || words[at + T] !== 0) {
      throw new CertificateFailure('M', 'one operation contributes to several phases');
    }
    if (words[at + E] === 0)
      throw new CertificateFailure('unsupported', 'no role is left to arrive');
    this.#requireHolds(this.#histories[barrier]!.complete(before), barrier, null);
    this.#run.memory?.complete(barrier, this.#histories[barrier]!.keepsPhases ? before : -1);
    this.expected[barrier] = 0;
  }

  /**
   * M14: as many bytes as a phase expects arrive in it, so that neither these nor those can be more
   * than a barrier counts, in whichever order.
   */
  #expect(barrier: number, bytes: number): void {
    this.expected[barrier]! += bytes;
    if (this.expected[barrier]! <= MAX_PENDING) return;
    throw new CertificateFailure('unsupported', 'a phase expects more bytes than are counted');
  }

  /** M02, L02: the barrier can be reached, and could whenever `row` may have come to it. */
  requireLife(row: SetId, cta: number, barrier: number): void {
    const { machine, words } = this.#run;
    machine.fault = Fault.none;
    machine.reach(words, barrier, cta);
    this.#run.requireNoFault();
    if (this.#hasBirths && !this.#histories[barrier]!.isBornBefore(row))
      this.#failBirth(row, barrier);
  }

  #touch(row: SetId, cta: number, barrier: number): void {
    if (isGlobalBarrier(this.#run.machine.shape, barrier)) return;
    this.#run.touch(row, cta, barrier % this.#ctas);
  }

  #failBirth(row: SetId, barrier: number): never {
    const lack = this.#histories[barrier]!.birthOf(row);
    const place = this.#nameOf(barrier);
    const why = 'a barrier can be accessed before it is initialized';
    throw new CertificateFailure('R', why, { place, lack });
  }

  #requireHolds(condition: Condition | null, barrier: number, row: SetId | null): void {
    if (condition !== null) this.#fail(condition, barrier, row);
  }

  /** `row` does not know what it has to; `null` where nothing knows it. */
  #fail(condition: Condition, barrier: number, row: SetId | null): never {
    const { know, spare } = this.#run;
    if (row === null) know.clear(spare);
    const lack = this.#histories[barrier]!.lackOf(condition, row ?? spare);
    const place = this.#nameOf(barrier);
    throw new CertificateFailure(
      condition,
      `the arrivals on ${place} can be distributed over its phases in a different way`,
      { place, lack },
    );
  }

  #nameOf(barrier: number): string {
    const { barriers } = this.#run.program.declarations;
    return barriers[Math.floor(barrier / this.#ctas)]!.name;
  }
}
