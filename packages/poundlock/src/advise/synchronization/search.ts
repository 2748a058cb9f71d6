// Finds a largest set of synchronizing instructions that can be deleted together, what each of the
// others is needed for, and which of them could be deleted instead.
import type { Prover } from './prover.ts';
import { unknown } from './judgement.ts';
import type { Obstacle } from './judgement.ts';
import { costOf } from './prices.ts';
import type { Prices } from './prices.ts';
import { together, weakerWaits } from './candidates.ts';
import type { Candidate, CandidateGroup } from './candidates.ts';
import type { Change } from '@poundlock/ptx/internal/redundancy/sites';

/** What was found of one candidate. */
export type Outcome =
  | { readonly verdict: 'unnecessary' }
  /** It can be deleted if other candidates stay. */
  | { readonly verdict: 'alternative'; readonly instead: readonly Candidate[] }
  | { readonly verdict: 'weaker'; readonly open: number; readonly obstacle: Obstacle }
  | { readonly verdict: 'necessary' | 'practice' | 'undecided'; readonly obstacle: Obstacle };

/** Bounds of a search. */
export interface SearchOptions {
  /** Whether to find what breaks without each instruction that is needed. */
  readonly isExplained: boolean;
  /** What instructions cost: the dearest go first. */
  readonly prices: Prices;
  readonly isOver: () => boolean;
  readonly pause: () => Promise<void>;
  /** Is called before each candidate. */
  readonly onProgress: (done: number, all: number) => void;
}

/** Combinations of two candidates that are tried for each that is left. */
const MAX_INSTEAD = 64;
const WITH_ITS_WAITS = 'it can go only together with the waits for it that can be deleted';
const CUT = unknown('the time was up before it was tried');

/** Searches one kernel. */
export class Search {
  readonly #prover: Prover;
  readonly #options: SearchOptions;
  readonly #outcomes = new Map<Candidate, Outcome>();
  /** Waits that need not be for all that they are for, and why they cannot be deleted. */
  readonly #weak = new Map<Candidate, Outcome>();
  #isCut = false;

  constructor(prover: Prover, options: SearchOptions) {
    this.#prover = prover;
    this.#options = options;
  }

  /** Whether a bound ended the search. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** The outcome of each line as a whole, or of its instructions where they differ. */
  async run(groups: readonly CandidateGroup[]): Promise<ReadonlyMap<Candidate, Outcome>> {
    // An arrival is of no use only where nothing waits for it any more.
    const arrivals = groups.filter(({ whole }) => whole.kind === 'arrival');
    const others = groups.filter(({ whole }) => whole.kind !== 'arrival');
    const alone = await this.#alone(dearestFirst(others, this.#options.prices));
    const set = await this.#largest(alone);
    for (const candidate of alone)
      if (!set.includes(candidate))
        this.#outcomes.set(candidate, await this.#instead(candidate, set));
    await this.#arrivals(arrivals, set);
    for (const candidate of set) this.#outcomes.set(candidate, { verdict: 'unnecessary' });
    await this.#weaken(set);
    return this.#outcomes;
  }

  /** Why one of the instructions of a candidate cannot be judged; `null` if all can. */
  #unjudged({ sites }: Candidate): string | null {
    for (const site of sites) {
      const why = this.#prover.unjudgedSite(site);
      if (why !== null) return why;
    }
    return null;
  }

  #isOver(): boolean {
    this.#isCut ||= this.#options.isOver();
    return this.#isCut;
  }

  /** Candidates that can be deleted each by itself: whole lines first. */
  async #alone(groups: readonly CandidateGroup[]): Promise<Candidate[]> {
    const lines: Candidate[] = [];
    const single: Candidate[] = [];
    for (const [index, { whole, parts }] of groups.entries()) {
      this.#options.onProgress(index, groups.length);
      await this.#options.pause();
      const outcome = this.#isOver() ? cut() : await this.#tried(whole);
      if (outcome === null) lines.push(whole);
      else if (await this.#canWaitForLess(whole)) this.#weak.set(whole, outcome);
      else if (parts.length === 1) this.#outcomes.set(whole, outcome);
      else single.push(...(await this.#parts(whole, parts, outcome)));
    }
    return [...lines, ...single];
  }

  /** Instructions of a line that can be deleted, where the line as a whole cannot. */
  async #parts(
    whole: Candidate,
    parts: readonly Candidate[],
    ofWhole: Outcome,
  ): Promise<Candidate[]> {
    const outcomes = new Map<Candidate, Outcome | null>();
    for (const part of parts) outcomes.set(part, this.#isOver() ? cut() : await this.#tried(part));
    const found = parts.filter((part) => outcomes.get(part) === null);
    if (found.length === 0) this.#outcomes.set(whole, ofWhole);
    else
      for (const [part, outcome] of outcomes)
        if (outcome !== null) this.#outcomes.set(part, outcome);
    return found;
  }

  /** `null` if a candidate can be deleted by itself. */
  async #tried(candidate: Candidate): Promise<Outcome | null> {
    const unjudged = this.#unjudged(candidate);
    if (unjudged !== null)
      return outcomeOf(this.#prover.neededInText(candidate.change) ?? unknown(unjudged));
    const why = await this.#prover.quick(candidate.change);
    if (why !== null) return this.#explained(candidate.change, why);
    const isOfFence = candidate.sites.some(({ kind }) => kind === 'fence');
    const obstacle = await this.#prover.full(candidate.change, isOfFence);
    return obstacle === null ? null : outcomeOf(obstacle);
  }

  async #explained(change: Change, why: string): Promise<Outcome> {
    if (!this.#options.isExplained) return undecided(why);
    return outcomeOf(await this.#prover.breaks(change, why));
  }

  /** Adds one candidate after the other, the most expensive first. */
  async #largest(alone: readonly Candidate[]): Promise<Candidate[]> {
    if (alone.length < 2 || (await this.#areFree(alone))) return [...alone];
    const set: Candidate[] = alone.slice(0, 1);
    for (const candidate of alone.slice(1)) {
      await this.#options.pause();
      if (this.#isOver()) break;
      if (await this.#areFree([...set, candidate])) set.push(candidate);
    }
    return set;
  }

  /** Whether candidates can be deleted together. */
  async #areFree(candidates: readonly Candidate[]): Promise<boolean> {
    const change = together(candidates.map((one) => one.change));
    if ((await this.#prover.quick(change)) !== null) return false;
    return (await this.#prover.full(change, false)) === null;
  }

  /** What has to stay if a candidate is deleted that the set does not have. */
  async #instead(candidate: Candidate, set: readonly Candidate[]): Promise<Outcome> {
    for (const one of set.slice(0, MAX_INSTEAD)) {
      if (this.#isOver()) break;
      const rest = set.filter((other) => other !== one);
      if (await this.#areFree([...rest, candidate]))
        return { verdict: 'alternative', instead: [one] };
    }
    return { verdict: 'alternative', instead: set };
  }

  /** Arrivals that only deleted waits have waited for. */
  async #arrivals(groups: readonly CandidateGroup[], set: Candidate[]): Promise<void> {
    for (const { whole, parts } of groups) {
      if (await this.#arrival(whole, set, parts.length === 1)) continue;
      for (const part of parts.length === 1 ? [] : parts) await this.#arrival(part, set, true);
    }
  }

  /** Whether an arrival is settled: deleted with the set, or judged where it is the last try. */
  async #arrival(candidate: Candidate, set: Candidate[], isLast: boolean): Promise<boolean> {
    const unjudged = this.#unjudged(candidate);
    if (this.#isOver()) this.#outcomes.set(candidate, cut());
    else if (unjudged !== null) this.#outcomes.set(candidate, undecided(unjudged));
    else if (await this.#areFree([...set, candidate])) {
      // Who deletes it alone must not leave a wait for it behind.
      const isFreeAlone = (await this.#prover.full(candidate.change, false)) === null;
      if (isFreeAlone) set.push(candidate);
      else this.#outcomes.set(candidate, undecided(WITH_ITS_WAITS));
    } else if (!isLast) return false;
    else {
      const why = await this.#prover.quick(candidate.change);
      const outcome = await this.#explained(candidate.change, why ?? 'a wait needs it');
      this.#outcomes.set(candidate, outcome);
    }
    return true;
  }

  async #canWaitForLess(candidate: Candidate): Promise<boolean> {
    if (this.#unjudged(candidate) !== null) return false;
    const [weaker] = weakerWaits(candidate, this.#prover.bases[0]!.runs[0]!.run);
    if (weaker === undefined || this.#isOver()) return false;
    return (await this.#prover.quick(weaker.change)) === null;
  }

  /** Waits that can leave more groups open, together with all that is deleted. */
  async #weaken(set: readonly Candidate[]): Promise<void> {
    const changes = set.map(({ change }) => change);
    for (const [candidate, outcome] of this.#weak) {
      this.#outcomes.set(candidate, outcome);
      let weakest: { readonly open: number; readonly change: Change } | null = null;
      for (const weaker of weakerWaits(candidate, this.#prover.bases[0]!.runs[0]!.run)) {
        if (this.#isOver()) break;
        const change = together([...changes, weaker.change]);
        const isRight =
          (await this.#prover.quick(change)) === null &&
          (await this.#prover.full(change, false)) === null;
        if (!isRight) break;
        weakest = weaker;
      }
      if (weakest === null || !('obstacle' in outcome)) continue;
      changes.push(weakest.change);
      const { open } = weakest;
      this.#outcomes.set(candidate, { verdict: 'weaker', open, obstacle: outcome.obstacle });
    }
  }
}

const VERDICTS = { wrong: 'necessary', practice: 'practice', unknown: 'undecided' } as const;

function outcomeOf(obstacle: Obstacle): Outcome {
  return { verdict: VERDICTS[obstacle.kind], obstacle };
}

function undecided(why: string): Outcome {
  return outcomeOf(unknown(why));
}

function cut(): Outcome {
  return outcomeOf(CUT);
}

/** By what their executions cost; those without a figure by how many there are. */
function dearestFirst(groups: readonly CandidateGroup[], prices: Prices): CandidateGroup[] {
  const costOfGroup = ({ whole, parts }: CandidateGroup): number =>
    parts.reduce((sum, part) => sum + (costOf(prices, part) ?? part.executions), 0) +
    whole.sites.length;
  return groups.toSorted((a, b) => costOfGroup(b) - costOfGroup(a));
}
