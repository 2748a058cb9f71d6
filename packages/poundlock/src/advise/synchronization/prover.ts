// Decides whether a kernel stays correct with a change: quickly, from the steps of its first run,
// and fully, from the changed text at every size, on every way, and by the text of the PTX ISA.
import { ASSUMPTION_NAMES, uniqueAssumptions } from '@poundlock/core/internal/finding';
import type { Assumption, Parameters } from '@poundlock/core/internal/finding';
import { check, MAX_FINDINGS } from '../../check/index.ts';
import type { MemoryProfile } from '../../check/index.ts';
import { addedPair } from '@poundlock/ptx/internal/redundancy/lane-pairs';
import type { RegisterHazard } from '@poundlock/ptx/internal/redundancy/register-hazards';
import type { Change, Site, SiteKind } from '@poundlock/ptx/internal/redundancy/sites';
import { edited, traceOf } from '@poundlock/ptx/internal/redundancy/study';
import type { Size, Study, StudiedRun } from '@poundlock/ptx/internal/redundancy/study';
import { UNCHANGED } from './candidates.ts';
import { judgedFrom, obstacleOf, practice, unknown, weaknessOf, wrong } from './judgement.ts';
import type { Judgement, Obstacle } from './judgement.ts';

/** States of a search for what breaks. */
const MAX_STATES = 20_000;
/** Milliseconds of it. */
const BREAKS_MS = 3_000;

/** What orders registers of asynchronous work. */
const OF_REGISTERS: ReadonlySet<SiteKind> = new Set([
  'register fence',
  'tensor core wait',
  'tensor memory wait',
]);
const NOT_OF_ISA =
  'the kernel itself is not proved by the text of the PTX ISA, which may demand this fence';
const OTHERWISE = 'the kernel does something else without it';

/** The bounds and the profile of all checks. */
export interface ProverOptions {
  readonly memory: MemoryProfile;
  readonly every: string | undefined;
  readonly now: () => number;
  readonly pause: () => Promise<void>;
  readonly shouldStop: () => boolean;
}

/** A size with the runs of the unchanged kernel. */
interface Base {
  readonly size: Size;
  /** What messages call it. */
  readonly name: string;
  readonly runs: readonly StudiedRun[];
  readonly open: string | null;
  /** The unchanged kernel by memory profile, where it is certified: a change is to be no worse. */
  readonly judged: Map<MemoryProfile, Judgement>;
}

/** Checks changes of one kernel at several sizes. */
export class Prover {
  readonly #study: Study;
  readonly #options: ProverOptions;
  readonly bases: readonly Base[];
  /** Registers that the unchanged kernel uses too early, as far as its text shows. */
  readonly #hazards: ReadonlyMap<string, RegisterHazard>;
  /** Why nothing can be judged; `null` if it can. */
  unjudged: string | null = null;

  /** @param nameOf What messages call a size. */
  constructor(
    study: Study,
    sizes: readonly Size[],
    nameOf: (size: Size) => string,
    options: ProverOptions,
  ) {
    this.#study = study;
    this.#options = options;
    this.bases = sizes.map((size) => {
      return { size, name: nameOf(size), judged: new Map(), ...study.execute(UNCHANGED, size) };
    });
    this.#hazards = study.hazards(UNCHANGED);
  }

  /** All runs of the unchanged kernel. */
  get runs(): readonly StudiedRun[] {
    return this.bases.flatMap(({ runs }) => runs);
  }

  /** What the unchanged kernel assumes, and so does all that is claimed of it. */
  get assumptions(): readonly Assumption[] {
    const { memory } = this.#options;
    return uniqueAssumptions(
      this.bases.flatMap(({ judged }) => judged.get(memory)?.assumptions ?? []),
    );
  }

  /**
   * Whether the kernel and all changes of it hold by the text of the PTX ISA alone; `false`: all
   * fail it at the same places; `null`: that is not known.
   */
  get holdsInIsa(): boolean | null {
    if (!this.bases.every(({ judged }) => judged.has('isa'))) return null;
    return this.bases.every(({ judged }) => {
      const relies = [...judged.values()].some(({ practices }) => practices.size > 0);
      return !relies && judged.get('isa')?.warnings.size === 0;
    });
  }

  /** What is wrong with the kernel as it is; `null` if nothing is, but it may not be judged. */
  async requireCertified(): Promise<Obstacle | null> {
    for (const base of this.bases) {
      await this.#options.pause();
      const obstacle = await this.#judgeBase(base);
      if (obstacle === null) continue;
      if (obstacle.kind === 'wrong') return obstacle;
      this.unjudged ??= `${base.name}: ${obstacle.why}`;
    }
    return null;
  }

  async #judgeBase(base: Base): Promise<Obstacle | null> {
    const { memory } = this.#options;
    const { runs, open, judged } = base;
    // The text is checked first: an error in it is an error, whatever else is open.
    const own = await this.#judge(UNCHANGED, base, [], memory);
    if ('kind' in own) return own;
    if (open !== null) return unknown(open);
    const [reason] = runs.flatMap(({ run, strict }) => [
      ...run.undecided,
      ...run.faults.filter(({ isOfIsa }) => isOfIsa !== true),
      ...(strict.unfollowed === null ? [] : [strict.unfollowed]),
    ]);
    if (reason !== undefined) return unknown(this.#placed(reason));
    if (runs.some(({ run }) => traceOf(run) === null)) return unknown('a warp does not end');
    const all = await this.#judge(UNCHANGED, base, runs, memory);
    if ('kind' in all)
      return unknown(`threads exchange data in ways that are not followed: ${all.why}`);
    judged.set(memory, all);
    if (memory !== 'isa') {
      const strictest = await this.#judge(UNCHANGED, base, runs, 'isa');
      // Beyond the most findings a change might add some that are not shown.
      if (!('kind' in strictest) && strictest.warnings.size < MAX_FINDINGS)
        judged.set('isa', strictest);
    }
    return null;
  }

  /** Why an instruction cannot be judged; `null` if it can. */
  unjudgedSite({ kind, at }: Site): string | null {
    if (this.unjudged !== null) return this.unjudged;
    if (OF_REGISTERS.has(kind)) {
      // What is too early already cannot show what else would be.
      const [hazard] = this.#hazards.values();
      return hazard === undefined ? null : `already with it ${this.#placed(hazard)}`;
    }
    if (kind !== 'fence') return null;
    for (const { elsewhere } of this.runs)
      for (const each of at) {
        const why = elsewhere(each);
        if (why !== null) return why;
      }
    return null;
  }

  /** What the text alone shows to break with a change, of a kernel that can be judged. */
  neededInText(change: Change): Obstacle | null {
    return this.unjudged === null ? this.#hazard(change) : null;
  }

  /** Whether a change is certified by the steps of the first run; `null` if it is. */
  async quick(change: Change): Promise<string | null> {
    if (this.unjudged !== null) return this.unjudged;
    const hazard = this.#hazard(change);
    if (hazard !== null) return hazard.why;
    // One run filters; the full check is of all.
    const first = this.bases[0]?.runs[0];
    if (first === undefined) return 'there is no run';
    const { run, isMerged } = first.strict;
    const kernel = this.#study.kernelOfRun(edited(run, change), isMerged);
    const { pause, shouldStop, memory } = this.#options;
    const bounds = { accept: ASSUMPTION_NAMES, pause, shouldStop };
    const result = await check(kernel, {
      engine: 'certify',
      sizes: 'requested',
      memory,
      ...bounds,
    });
    return result.verdict === 'certified' ? null : (result.reason ?? 'it is not certified');
  }

  /**
   * Whether a change is right, by all that is checked of a kernel; `null` if it is.
   *
   * @param isOfFence Whether it deletes a fence, which only the text of the PTX ISA may demand.
   */
  async full(change: Change, isOfFence: boolean): Promise<Obstacle | null> {
    if (this.unjudged !== null) return unknown(this.unjudged);
    const hazard = this.#hazard(change);
    if (hazard !== null) return hazard;
    let inPractice: Obstacle | null = null;
    for (const base of this.bases) {
      await this.#options.pause();
      const obstacle = await this.#fullAt(change, base, isOfFence);
      if (obstacle === null) continue;
      const why = this.bases.length === 1 ? obstacle.why : `${obstacle.why} (at ${base.name})`;
      if (obstacle.kind !== 'practice') return { ...obstacle, why };
      inPractice ??= { ...obstacle, why };
    }
    return inPractice;
  }

  async #fullAt(change: Change, base: Base, isOfFence: boolean): Promise<Obstacle | null> {
    const { memory } = this.#options;
    const after = this.#study.execute(change, base.size);
    const differs = this.#otherRuns(change, base, after.runs, after.open);
    if (differs !== null) {
      // What the text is without it may be plainly wrong.
      const text = await this.#judge(change, base, [], memory);
      return 'kind' in text && text.kind === 'wrong' ? text : differs;
    }
    const found = await this.#judge(change, base, after.runs, memory);
    if ('kind' in found) return found;
    const weakness = weaknessOf(base.judged.get(memory)!, found);
    if (weakness !== null) return weakness;
    const ofIsa = base.judged.get('isa');
    if (memory === 'isa') return null;
    if (ofIsa === undefined) return isOfFence ? practice(NOT_OF_ISA) : null;
    const strictest = await this.#judge(change, base, after.runs, 'isa');
    const demanded = 'kind' in strictest ? strictest : weaknessOf(ofIsa, strictest);
    return demanded === null ? null : practice(demanded.why);
  }

  /** What breaks with a change that is not certified. */
  async breaks(change: Change, otherwise: string): Promise<Obstacle> {
    const hazard = this.#hazard(change);
    if (hazard !== null) return hazard;
    const { memory, now } = this.#options;
    const deadline = now() + BREAKS_MS;
    for (const { runs, open } of this.bases) {
      // No data may lead to one of several ways.
      const [one] = runs;
      if (one === undefined || runs.length > 1 || open !== null) continue;
      const { run, isMerged } = one.global();
      for (const steps of isMerged ? [one.run, run] : [one.run]) {
        const isWhole = steps !== one.run;
        const kernel = this.#study.kernelOfRun(edited(steps, change), isWhole);
        const { verdict, findings } = await check(kernel, {
          sizes: 'requested',
          maxStates: MAX_STATES,
          memory,
          now,
          timeoutMs: Math.max(1, deadline - now()),
        });
        if (verdict !== 'counterexample') continue;
        const error = findings.find(({ severity }) => severity === 'error');
        if (error === undefined) continue;
        // Global memory is none of the first CTA, which may begin late and end early.
        if (!isWhole || error.rule === 'race') return wrong(error);
      }
    }
    return unknown(otherwise);
  }

  /** Whether the changed kernel does the same on every way, in lanes of a warp and in all warps. */
  #otherRuns(
    change: Change,
    base: Base,
    after: readonly StudiedRun[],
    open: string | null,
  ): Obstacle | null {
    if (open !== null) return unknown(open);
    const before = Map.groupBy(base.runs, ({ run }) => traceOf(edited(run, change)));
    const isMet = new Set<string>();
    for (const one of after) {
      const { run, pairs, strict } = one;
      const faults = run.faults.filter(({ isOfIsa }) => isOfIsa !== true);
      const [reason] = [...run.undecided, ...faults];
      if (reason !== undefined) return unknown(this.#placed(reason));
      const trace = traceOf(run);
      const same = before.get(trace);
      if (trace === null || same === undefined) return unknown(OTHERWISE);
      isMet.add(trace);
      for (const way of same) {
        const pair = addedPair(way.pairs, pairs);
        if (pair !== null) return unknown(this.#pairText(pair.first, pair.second));
      }
      if (strict.unfollowed !== null) return unknown(this.#placed(strict.unfollowed));
    }
    return isMet.size === before.size ? null : unknown(OTHERWISE);
  }

  #pairText(first: number, second: number | null): string {
    if (second === null)
      return `it joins lanes that part at ${this.#named(first)} before all act together`;
    return `lanes of one warp may need it between ${this.#named(first)} and ${this.#named(second)}`;
  }

  #hazard(change: Change): Obstacle | null {
    for (const [key, { at, text }] of this.#study.hazards(change))
      if (!this.#hazards.has(key))
        return { kind: 'wrong', rule: null, why: this.#placed({ text, at }) };
    return null;
  }

  /** What `check` says of the changed text, and of runs with global memory and strict atomics. */
  async #judge(
    change: Change,
    { size: { launch, params } }: Base,
    runs: readonly StudiedRun[],
    memory: MemoryProfile,
  ): Promise<Judgement | Obstacle> {
    const { every, now, pause, shouldStop } = this.#options;
    const bounds = { accept: ASSUMPTION_NAMES, memory, now, pause, shouldStop } as const;
    const isOfEvery = every !== undefined && !(every in params);
    const isChanged = change !== UNCHANGED;
    const kernel = isChanged
      ? this.#study.changedKernel(change, launch)
      : this.#study.kernel(launch);
    const text = await check(kernel, {
      ...bounds,
      params: params as Parameters,
      maxStates: MAX_STATES,
      ...(isOfEvery ? { every } : { sizes: 'requested' }),
    });
    if (text.verdict !== 'certified') return obstacleOf(text);
    if (isOfEvery && !text.scope.every.includes(every))
      return unknown(`it is not proved for every ${every}`);
    const results = [text];
    for (const { strict } of runs) {
      const kernel = this.#study.kernelOfRun(strict.run, strict.isMerged);
      const result = await check(kernel, { ...bounds, sizes: 'requested', engine: 'certify' });
      if (result.verdict !== 'certified') return unknown(result.reason ?? obstacleOf(result).why);
      results.push(result);
    }
    return judgedFrom(
      results,
      runs.flatMap(({ strict }) => strict.assumptions),
    );
  }

  #named(at: number): string {
    const { opcode, file, line, ptxLine } = this.#study.placeOf(at);
    return `${opcode} (${file}:${line}, PTX line ${ptxLine})`;
  }

  #placed({ text, at }: { readonly text: string; readonly at: number }): string {
    if (at < 0) return text;
    const { file, line, ptxLine } = this.#study.placeOf(at);
    return `${text} (${file}:${line}, PTX line ${ptxLine})`;
  }
}
