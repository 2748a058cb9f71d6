// Versions and reads: what a write changes, and what closes a read.
import { LANDED } from './control.ts';
import type { ViewOptions } from './options.ts';
import type { Report } from './draft.ts';
import type { Scene } from './scene.ts';
import {
  ASYNC,
  BY_THREAD,
  BY_WORK,
  EVERYONE,
  OTHER_CTA,
  OTHER_GRID,
  READ_BACK,
  SAME_CTA,
  type ReadState,
  type State,
} from './state.ts';
import { union, type Carried, type Reads, type Versions } from './views.ts';

export interface Writer {
  readonly agent: number;
  readonly isAsync: boolean;
  readonly view: Carried;
  /** The versions that it may see. */
  readonly sees: Versions;
  readonly id: string;
  readonly flight?: number;
}

type Draft = { -readonly [K in 'versions' | 'primary' | 'origins' | 'reads']: State[K] } & Pick<
  State,
  'control'
>;

export class Ledger {
  readonly #scene: Scene;
  readonly #options: ViewOptions;
  readonly #report: Report;
  readonly #isIsa: boolean;
  readonly #state: Draft;

  constructor(scene: Scene, options: ViewOptions, report: Report, state: Draft) {
    this.#scene = scene;
    this.#options = options;
    this.#report = report;
    this.#isIsa = options.profile === 'isa';
    this.#state = state;
  }

  /** A read that may return every version from `oldest` on. */
  read(slot: number, oldest: number): void {
    const { at, flight } = this.#scene.reads[slot]!;
    const newest = this.#state.versions[at]!;
    if (flight < 0 && oldest === newest && this.#state.origins[at] === BY_THREAD) {
      this.#state.origins = this.#state.origins.with(at, READ_BACK);
    }
    this.#set(slot, { ...OPEN, versions: (2 << newest) - (1 << oldest) });
  }

  /** A read of what earlier work of the same pipeline is going to write. */
  readLater(slot: number): void {
    this.#set(slot, OPEN);
  }

  /** What a view knows after a read of its own, as far as reads are known. */
  knowRead<T extends Carried>(view: T, slot: number): T {
    const { readsHaveLevels = false } = this.#options;
    if (!this.#isIsa && !readsHaveLevels) return view;
    return {
      ...view,
      known: union(view.known, [slot]),
      released: readsHaveLevels ? union(view.released, [slot]) : view.released,
    };
  }

  /** Makes a version, and returns it; it may be what open reads return. */
  write(location: number, writer: Writer): number {
    const { name } = this.#scene.locations[location]!;
    const newest = this.#state.versions[location]!;
    if (writer.sees[location] !== newest && !this.#isOver(location, writer)) {
      this.#report('write', `${writer.id} writes ${name} and may not see version ${newest}`);
    }
    const version = newest + 1;
    this.#state.origins = this.#state.origins.with(location, writer.isAsync ? BY_WORK : BY_THREAD);
    this.#state.versions = this.#state.versions.with(location, version);
    const { grid } = this.#scene.agents[writer.agent]!;
    if (grid === 0) this.#state.primary = this.#state.primary.with(location, version);
    for (const [slot, read] of this.#reads()) {
      if (this.#scene.reads[slot]!.at !== location) continue;
      const isLevel = this.#options.readsHaveLevels === true && !read.isOver;
      if (isLevel && !this.#isOfPipeline(slot, writer)) this.#requireRead(slot, writer);
      const isChanged = this.#mayChange(slot, read, writer);
      const changed = isChanged ? read.versions | (1 << version) : read.versions;
      const replaced = this.#isOfPipeline(slot, writer) ? 1 << version : changed;
      this.#set(slot, { ...read, versions: replaced, isOver: true });
    }
    return version;
  }

  /** Whether the newest version is there for all in practice, if its write is known at all. */
  #isOver(location: number, { isAsync, view, agent }: Writer): boolean {
    const { versions, primary, origins } = this.#state;
    const { space } = this.#scene.locations[location]!;
    const newest = versions[location]!;
    const isOfOther = this.#scene.agents[agent]!.grid > 0 && primary[location] === newest;
    if (this.#isIsa || isOfOther || (space !== 'sh' && space !== 'gl')) return false;
    // H2: work that has completed; H1: what threads have read back.
    if (origins[location] === BY_WORK) return view.ordered[location] === newest;
    return isAsync && origins[location] === READ_BACK && view.generic[location] === newest;
  }

  #mayChange(slot: number, { open, isAwaited }: ReadState, writer: Writer): boolean {
    const { agent, flight } = this.#scene.reads[slot]!;
    if (this.#options.faults?.ignoresReuse === true) return false;
    const isOwn = agent === writer.agent;
    if (isOwn && (isAwaited || (!writer.isAsync && flight < 0))) return false;
    return (open & this.#bitOf(agent, writer)) !== 0;
  }

  #bitOf(reader: number, { agent, isAsync }: Writer): number {
    const [one, other] = [this.#scene.agents[reader]!, this.#scene.agents[agent]!];
    if (isAsync) return ASYNC;
    if (one.grid !== other.grid) return OTHER_GRID;
    return one.cta === other.cta ? SAME_CTA : OTHER_CTA;
  }

  /** Whether a flight reads what an earlier one on the same pipeline writes. */
  #isOfPipeline(slot: number, { flight = -1 }: Writer): boolean {
    const reader = this.#scene.reads[slot]!.flight;
    return reader >= 0 && flight >= 0 && this.#scene.flights[reader]!.after.includes(flight);
  }

  /** K04 of a read before a write: at the level of the profile. */
  #requireRead(slot: number, { view, isAsync, id, flight }: Writer): void {
    const { at, flight: reader, id: reading } = this.#scene.reads[slot]!;
    const { space } = this.#scene.locations[at]!;
    let known: Reads;
    if (space === 'tm') {
      const unit = reader < 0 ? undefined : this.#scene.flights[reader]!.unit;
      if (!this.#isIsa || unit === undefined || reader === flight) return;
      known = view.tensor;
    } else if (reader >= 0 || space === 'reg' || space === 'map') return;
    else if (!this.#isIsa) known = view.released;
    else known = isAsync ? view.fenced : view.known;
    if (!known.includes(slot)) this.#report('reuse', `${id} writes and does not know ${reading}`);
  }

  /** A release by a thread: its reads have returned; in `isa`, for those in its scope. */
  release(agent: number, { known }: Carried, isWide: boolean): void {
    const isAll = isWide || this.#options.faults?.ignoresScopes === true;
    for (const [slot, read] of this.#ofThreads()) {
      const isOwn = this.#scene.reads[slot]!.agent === agent;
      if (!this.#isIsa) {
        if (isOwn) this.#set(slot, { ...read, open: 0 });
      } else if (isOwn || known.includes(slot)) {
        this.#close(slot, read, isAll ? SAME_CTA | OTHER_CTA : SAME_CTA);
      }
    }
  }

  /** A completion releases what its issuer knew, for its cluster. */
  releaseKnown(known: Reads): void {
    for (const [slot, read] of this.#ofThreads()) {
      if (known.includes(slot)) this.#close(slot, read, SAME_CTA | OTHER_CTA);
    }
  }

  /** A proxy fence of a thread that knows reads: asynchronous writes come after them. */
  fenceReads({ known }: Carried): void {
    if (!this.#isIsa) return;
    for (const [slot, read] of this.#ofThreads()) {
      const { space } = this.#scene.locations[this.#scene.reads[slot]!.at]!;
      if (known.includes(slot) && space !== 'reg') this.#close(slot, read, ASYNC);
    }
  }

  /** A fence of a thread's registers: work that uses them later comes after its reads. */
  fenceRegisters(agent: number): void {
    for (const [slot, read] of this.#ofThreads()) {
      const { agent: reader, at } = this.#scene.reads[slot]!;
      const { space } = this.#scene.locations[at]!;
      if (reader === agent && space === 'reg') this.#close(slot, read, ASYNC);
    }
  }

  /** The reads of a thread have returned. */
  closeOwn(agent: number): void {
    for (const [slot, read] of this.#ofThreads()) {
      if (this.#scene.reads[slot]!.agent === agent) this.#set(slot, { ...read, open: 0 });
    }
  }

  /** The reads of a flight have returned, but for those who are in `open`. */
  closeFlight(flight: number, open: number): void {
    for (const [slot, read] of this.#reads()) {
      if (this.#scene.reads[slot]!.flight === flight) this.#set(slot, { ...read, open });
    }
  }

  /** The landed loads of tensor memory of a thread are before its next signal. */
  closeLoads(agent: number): void {
    for (const [slot, read] of this.#reads()) {
      const { agent: reader, flight } = this.#scene.reads[slot]!;
      if (reader !== agent || flight < 0) continue;
      const isLanded = this.#state.control.flights[flight] === LANDED;
      if (isLanded && this.#scene.flights[flight]!.unit === 'tld') {
        this.#set(slot, { ...read, open: 0 });
      }
    }
  }

  /** The reads of a grid that is over; which they are, as far as reads are known. */
  closeGrid(grid: number): Reads {
    const all = [...this.#reads()].filter(([slot]) => {
      return this.#scene.agents[this.#scene.reads[slot]!.agent]!.grid === grid;
    });
    for (const [slot, read] of all) this.#set(slot, { ...read, open: 0 });
    return this.#options.readsHaveLevels === true ? all.map(([slot]) => slot) : [];
  }

  awaitReads(slots: readonly number[]): void {
    for (const slot of slots) this.#set(slot, { ...this.#state.reads[slot]!, isAwaited: true });
  }

  #close(slot: number, read: ReadState, bits: number): void {
    this.#set(slot, { ...read, open: read.open & ~bits });
  }

  *#reads(): Generator<[number, ReadState]> {
    for (const [slot, read] of this.#state.reads.entries()) if (read !== null) yield [slot, read];
  }

  *#ofThreads(): Generator<[number, ReadState]> {
    for (const entry of this.#reads()) if (this.#scene.reads[entry[0]]!.flight < 0) yield entry;
  }

  #set(slot: number, read: ReadState): void {
    this.#state.reads = this.#state.reads.with(slot, read);
  }
}

const OPEN: ReadState = { versions: 0, open: EVERYONE, isAwaited: false, isOver: false };
