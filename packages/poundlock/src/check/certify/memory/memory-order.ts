// The levels of knowing an access, beside happens-before: what signals, waits and fences bring.
import { MAX_UNITS, NAMED_BARRIERS } from '@poundlock/core/internal/machine';
import type { Flight, Instruction } from '@poundlock/core/internal/machine';
import { isRelaxed, isWide, isWidest, OpKind, WARP } from '@poundlock/core/internal/op';
import type { Program } from '@poundlock/core/internal/program';
import type { MemoryProfile } from '../../options.ts';
import type { Knowledge, SetId } from '../knowledge.ts';
import type { LearnedTraits } from '../run-state.ts';
import { Accesses } from './accesses.ts';
import { FencedMeetings } from './fenced-meetings.ts';
import { FenceRows } from './fences.ts';
import { LevelQueue } from './level-queue.ts';
import { Mail, type Postmark } from './mail.ts';
import {
  addCarried,
  addThread,
  CARRIED,
  clearRows,
  FENCED,
  RELEASED,
  VISIBLE,
  copyRows,
  joinRows,
  RETAINED,
  ORDERED,
  PENDING,
  PENDING_WIDE,
  TENSOR,
  TENSOR_AFTER,
  TENSOR_BEFORE,
  TENSOR_FENCED,
} from './rows.ts';

/** The memory of a run whose profile is not `none` (docs/explanation/certificate.md, T8 and T9). */
export class MemoryOrder {
  readonly accesses: Accesses;
  readonly #know: Knowledge;
  readonly #program: Program;
  readonly #learned: LearnedTraits;
  readonly #threads: SetId[];
  readonly #fences: FenceRows;
  /** H15, where it is relied on. */
  readonly #met: FencedMeetings | null;
  /** By barrier: messages of the open phase and of the last one. */
  readonly #open: Mail[];
  readonly #last: Mail[];
  /** C02: by barrier in global memory, the messages of each phase. */
  readonly #phases = new Map<number, Mail[]>();
  /** By meeting: messages of the open generation and of the last one. */
  readonly #meetings = new Map<number, readonly [Mail, Mail]>();
  readonly #cells = new Map<number, Mail>();
  /** By barrier that counts a word: the pieces of the word. */
  readonly #words: ReadonlyMap<number, readonly number[]>;
  /** By such a barrier and role: what the role has released there beyond its CTA. */
  readonly #releasedAt = new Map<number, SetId>();
  readonly #queues: (LevelQueue | undefined)[] = [];
  /** The rows of the flight that is issued; work that completes at once needs no others. */
  readonly #flight: SetId;
  /** Where relaxed signals put what they carry. */
  readonly #spare: SetId;
  /** The role that acts. */
  #role = 0;
  /** The rows that act now: those of a thread, or of a flight. */
  #row: SetId;
  #order = 0;
  /** Whether some wait has brought what a fence has to acquire. */
  #hasWaited = false;
  #mark: Postmark = { cta: 0, isWide: true, isAlways: false };
  #isFlight = false;

  constructor(
    program: Program,
    know: Knowledge,
    profile: Exclude<MemoryProfile, 'none'>,
    learned: LearnedTraits,
  ) {
    this.#know = know;
    this.#program = program;
    this.#learned = learned;
    this.#threads = program.roles.map(() => addThread(know));
    this.#flight = addCarried(know);
    this.#spare = addCarried(know);
    this.#row = this.#threads[0]!;
    this.#words = wordsOf(program);
    const barriers = program.declarations.barriers.length * program.ctas;
    const mails = (): Mail[] => Array.from({ length: barriers }, () => new Mail(know));
    this.#open = mails();
    this.#last = mails();
    this.accesses = new Accesses(program, know, profile, this.#threads, learned.warned);
    this.#fences = new FenceRows(know, this.#threads, this.accesses);
    const isMet = learned.fencedMeetings === 'relied on';
    this.#met = isMet ? new FencedMeetings(know, this.#threads, this.#fences, this.accesses) : null;
    this.#fences.met = this.#met;
  }

  /** Words that are part of a state: which threads have a release fence behind them. */
  get extra(): Int32Array {
    return this.#fences.scopes;
  }

  /** A role performs an operation, the `at`th of the run. */
  begin(role: number, instruction: Instruction, at: number): void {
    const { order, cta, kind, target, threads } = instruction;
    this.#role = role;
    this.#row = this.#threads[role]!;
    this.#order = order;
    this.#isFlight = false;
    this.#mark = { cta, isWide: isWide(order), isAlways: false };
    this.accesses.begin(role, this.#row, at);
    if (kind === OpKind.syncNamed || kind === OpKind.arriveNamed) {
      // N03: where strands meet there are as many threads as they have.
      const isOfProgram = target % this.#program.namedBarriers < NAMED_BARRIERS;
      if (isOfProgram && threads % WARP !== 0)
        this.accesses.failHere('misaligned-barrier-count', target);
    }
  }

  /** A fence of a role; other silent operations order nothing. */
  pass(role: number, instruction: Instruction): void {
    if (instruction.kind === OpKind.fence) this.#fences.fence(role, instruction);
  }

  /** The one who acts signals a barrier. */
  contribute(barrier: number): void {
    this.accesses.useBarrier(barrier, this.#row);
    this.#post(this.#open[barrier]!, barrier);
  }

  /** A phase of a barrier is over; its number, where waits may be for an older one, else −1. */
  complete(barrier: number, phase: number): void {
    this.#last[barrier]!.copy(this.#open[barrier]!);
    if (phase >= 0) {
      const phases = this.#phases.get(barrier) ?? [];
      this.#phases.set(barrier, phases);
      (phases[phase] ??= new Mail(this.#know)).copy(this.#open[barrier]!);
    }
    this.#open[barrier]!.clear();
  }

  /** A role has seen a phase of a barrier complete: the last one unless specified. */
  observe(role: number, barrier: number, phase = -1): void {
    this.accesses.useBarrier(barrier, this.#threads[role]!);
    this.#take(role, this.#phases.get(barrier)?.[phase] ?? this.#last[barrier]!);
  }

  /** A barrier is initialized by the role that acts. */
  init(barrier: number): void {
    this.accesses.init(barrier, this.#row);
    this.#open[barrier]!.clear();
    this.#last[barrier]!.clear();
  }

  /** The role that acts arrives at a meeting. */
  arriveAt(meeting: number): void {
    this.#post(this.#meeting(meeting)[0]);
    // Cluster barriers have numbers below 0.
    if (meeting < 0) return;
    this.#met?.arriveAt(meeting, this.#role);
    const passes = this.#hasWaited || this.#fences.scopes[this.#role] === FenceRows.widest;
    if (passes && this.#learned.fencedMeetings === 'none') this.#learned.fencedMeetings = 'seen';
  }

  /** All have come to a meeting: those that waited learn what all of them knew. */
  leaveTogether(meeting: number, waited: readonly number[]): void {
    const [open] = this.#meeting(meeting);
    for (const role of waited) this.#take(role, open);
    open.clear();
    if (meeting >= 0) this.#met?.leaveTogether(meeting, waited);
  }

  /** All have come to a meeting in two halves. */
  openMeeting(meeting: number): void {
    const [open, last] = this.#meeting(meeting);
    last.copy(open);
    open.clear();
  }

  /** A role goes on after a meeting in two halves. */
  leave(role: number, meeting: number): void {
    this.#take(role, this.#meeting(meeting)[1]);
  }

  /** C01: what the role that acts stores comes with the value. */
  storeTo(cell: number, isAdded: boolean): void {
    const mail = this.#cell(cell);
    if (!isAdded) mail.clear();
    this.#post(mail);
  }

  loadFrom(role: number, cell: number): void {
    this.#take(role, this.#cell(cell));
  }

  /** `to` learns everything that `from` knows: it starts it, or waits for its end. */
  joinRole(to: number, from: number): void {
    joinRows(this.#know, this.#threads[to]!, this.#threads[from]!, CARRIED);
    this.#know.join(this.#threads[to]! + TENSOR_FENCED, this.#threads[from]! + TENSOR);
  }

  /** D02: what the grid before did, and its work in flight, is visible at every level. */
  joinGrid(role: number): void {
    const { roles } = this.#program;
    const { grid } = roles[role]!;
    const row = this.#threads[role]!;
    for (const [other, { grid: theirs }] of roles.entries()) {
      if (theirs !== grid - 1) continue;
      this.joinRole(role, other);
      for (const level of [VISIBLE, FENCED]) {
        this.#know.join(row + level, this.#threads[other]! + RELEASED);
      }
      for (let unit = 0; unit < MAX_UNITS; unit++)
        this.#queues[other * MAX_UNITS + unit]?.learnAll(row);
    }
  }

  /** U01–U03: the role that acts issues a flight, which completes at once. */
  issue(role: number, flight: Flight, isSignal: boolean): void {
    const know = this.#know;
    const queue = this.#queue(flight);
    copyRows(know, this.#flight, this.#threads[role]!, CARRIED);
    queue.begin(this.#flight, isSignal);
    this.#row = this.#flight;
    this.#isFlight = true;
    this.#mark = { cta: flight.cta, isWide: true, isAlways: true };
    this.accesses.beginFlight(flight, this.#flight);
  }

  /** Its accesses are made, and its signal is not. */
  landed(flight: Flight, isSignal: boolean): void {
    const know = this.#know;
    const queue = this.#queue(flight);
    const sent = this.#flight + TENSOR_FENCED;
    if (!isSignal) queue.add(this.#flight, this.accesses.own);
    // T04: a commit contains a fence before a sync; other work brings what its issuer has fenced.
    if (isSignal && flight.proxy === 'async') return know.join(sent, this.#flight + TENSOR);
    know.copy(sent, this.#threads[flight.role]! + TENSOR_BEFORE);
    queue.joinOwn(sent, this.accesses.own, isSignal);
  }

  /** The flight is over: its issuer acts again. */
  issued(role: number, cta: number): void {
    this.#row = this.#threads[role]!;
    this.#isFlight = false;
    this.#mark = { cta, isWide: isWide(this.#order), isAlways: false };
  }

  closeGroup(flight: Flight): void {
    this.#queue(flight).closeGroup();
  }

  /** G01, G02: what `role` knows after a wait for groups that `owner`, of its team, issued. */
  waitGroup(role: number, owner: number, unit: number, open: number): void {
    const queue = this.#queues[owner * MAX_UNITS + unit];
    if (owner === role) queue?.waitFor(this.#threads[role]!, open);
    else queue?.waitForMember(this.#threads[role]!, open);
  }

  /** X01: the one who acts reaches a CTA that may not have begun. */
  failBegin(cta: number): never {
    this.accesses.failHere('cta-not-begun', cta);
  }

  /** Q01: registers of a CTA are left that no role has. */
  warnOfRegisters(cta: number): void {
    this.accesses.warnHere('unused-registers', cta);
  }

  /** G03: the role that acts waits for groups of another thread. */
  failGroups(unit: number): never {
    this.accesses.failHere('group-of-another-thread', unit);
  }

  /** Whether a role has issued work on a unit. */
  hasQueue(role: number, unit: number): boolean {
    return this.#queues[role * MAX_UNITS + unit] !== undefined;
  }

  /** What the one who acts sends: a relaxed signal what was fenced before it (S13). */
  #post(mail: Mail, barrier = -1): void {
    const know = this.#know;
    if (this.#isFlight) return mail.add(this.#mark, this.#row, false);
    const [role, row] = [this.#role, this.#row];
    this.accesses.noteSignal(role);
    // T04: signals bring of tensor memory what came before the last fence.
    know.copy(this.#spare + TENSOR, row + TENSOR);
    know.copy(this.#spare + TENSOR_FENCED, row + TENSOR_BEFORE);
    const isPlain = !isRelaxed(this.#order);
    copyRows(know, this.#spare, isPlain ? row : row + RETAINED, ORDERED);
    mail.add(this.#mark, this.#spare, true);
    const word = this.#words.get(barrier);
    if (isPlain) {
      if (word !== undefined) this.#noteRelease(barrier);
      return mail.addOrdered(this.#mark, this.#spare);
    }
    const scope = this.#fences.scopes[role]!;
    const isWideToo = scope >= FenceRows.wide && this.#mark.isWide;
    if (scope !== FenceRows.none)
      mail.addOrdered({ ...this.#mark, isWide: isWideToo }, this.#spare);
    if (word !== undefined) this.#postWord(mail, word);
    const passed = this.#met?.signal(role, this.#order, this.#spare) ?? -1;
    if (passed >= 0) mail.addOrdered(this.#mark, passed);
    const released = this.#releasedAt.get(this.#keyOf(barrier));
    if (released !== undefined) mail.addOrdered(this.#mark, released);
  }

  /** S19: what a role releases at a word comes with its later writes of the word, too. */
  #noteRelease(barrier: number): void {
    const key = this.#keyOf(barrier);
    const row = this.#releasedAt.get(key) ?? addCarried(this.#know);
    this.#releasedAt.set(key, row);
    if (this.#mark.isWide) copyRows(this.#know, row, this.#spare, ORDERED);
    else clearRows(this.#know, row, ORDERED);
  }

  #keyOf(barrier: number): number {
    return barrier * this.#threads.length + this.#role;
  }

  /** S18: who sees the value of a word sees what wrote it. */
  #postWord(mail: Mail, word: readonly number[]): void {
    clearRows(this.#know, this.#spare, ORDERED);
    this.accesses.joinWord(this.#spare, this.#row, word);
    mail.addOrdered(this.#mark, this.#spare);
  }

  #take(role: number, mail: Mail): void {
    const row = this.#threads[role]!;
    mail.takeTensor(row + TENSOR, row + TENSOR_AFTER);
    const { cta } = this.#program.roles[role]!;
    if (!isRelaxed(this.#order)) return mail.take(row, cta, isWide(this.#order));
    mail.takeApart(row + PENDING, row + PENDING_WIDE, cta);
    if (isWidest(this.#order)) this.#hasWaited = true;
    this.#met?.wait(role, this.#order, mail, cta);
  }

  #meeting(meeting: number): readonly [open: Mail, last: Mail] {
    const known = this.#meetings.get(meeting);
    if (known !== undefined) return known;
    const mails = [new Mail(this.#know), new Mail(this.#know)] as const;
    this.#meetings.set(meeting, mails);
    return mails;
  }

  #cell(cell: number): Mail {
    const known = this.#cells.get(cell);
    if (known !== undefined) return known;
    const mail = new Mail(this.#know);
    this.#cells.set(cell, mail);
    return mail;
  }

  #queue(flight: Flight): LevelQueue {
    const key = flight.role * MAX_UNITS + flight.unit;
    const groups = this.#learned.groups[flight.unit] ?? 0;
    return (this.#queues[key] ??= new LevelQueue(this.#know, flight.inOrder, groups));
  }
}

/** By barrier that counts a word of global memory: the pieces of the word. */
function wordsOf({ declarations, pieces, ctas }: Program): Map<number, readonly number[]> {
  return new Map(
    [...declarations.words].map(([barrier, buffers]) => {
      const all = buffers.flatMap((buffer) => pieces.of(buffer));
      return [barrier * ctas, all.map((piece) => piece * ctas)] as const;
    }),
  );
}
