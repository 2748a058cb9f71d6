// advise: compares ownerships, release points and stage counts, each with a verdict and cycles.
import { formatPosition, InputError, type Position } from '@poundlock/core/internal/base';
import { check } from '../check/index.ts';
import type { Parameters, Proposal } from '@poundlock/core/internal/finding';
import { CATALOGUE, Side } from '@poundlock/core/internal/op';
import {
  runLinear,
  Program,
  resolveParameters,
  withDestructors,
} from '@poundlock/core/internal/program';
import type {
  Kernel,
  KernelParameters,
  ResolvedParameters,
} from '@poundlock/core/internal/program';
import { costsOf, type Costs, type GpuModel } from '../simulate/index.ts';
import { earlier, handOverHand, heldOver, swapped } from './edits.ts';
import { releaseSites, type ReleaseSite } from './releases.ts';
import { smallestStages, stageBytes, stageParameters } from './stages.ts';
import {
  cyclesOfLists,
  DEFAULT_MAX_STATES,
  legality,
  type Legality,
  type Lists,
} from './variant.ts';

/** The most operations across which a release is moved. */
const MAX_EARLIER = 12;
/** The greatest depth of hand over hand that is tried. */
const MAX_DEPTH = 3;
/** Items of a legality check, beyond one lap of the longest ring. */
const ITEMS_BEYOND_LAP = 2;

/** Options of {@link advise}. */
export interface AdviseOptions {
  /** The GPU model that predicts times. */
  readonly model: GpuModel;
  /** Kernel parameters that differ from their defaults. */
  readonly params?: KernelParameters;
  /** Shared memory for stages, in bytes. */
  readonly smem?: number;
  /** States that each check stores before it is inconclusive. */
  readonly maxStates?: number;
  /** How a source position is named in the output. */
  readonly name?: (place: Position) => string;
}

/** The result of {@link advise}. */
export interface AdviseResult {
  /** The kernel's name. */
  readonly kernel: string;
  /** All parameters, with their defaults. */
  readonly params: Parameters;
  /** The name of the GPU model. */
  readonly model: string;
  /** The model's warning, if any. */
  readonly caveat: string | null;
  /** The predicted time of the unchanged kernel, in cycles. */
  readonly current: { readonly totalCycles: number };
  /** Items for which legality was checked; `null` for the whole run. */
  readonly checkedItems: number | null;
  /** The proposals, the fastest certified ones first. */
  readonly proposals: readonly Proposal[];
}

/**
 * Proposes changes of release points, of the order of operations and of numbers of stages. Each
 * proposal has a verdict of `check` and a predicted time; none is called legal that is not
 * certified.
 *
 * @throws InputError for a kernel with choices, or one that is not certified as it is.
 *
 * @example
 * import { count, kernel, mma, pipeline, role, tma } from 'poundlock';
 * import { advise } from 'poundlock/advise';
 * import { MODELS } from 'poundlock/simulate';
 *
 * const single = kernel('single', { stages: 1 }, ({ stages }) => {
 *   const ab = pipeline('ab', { stages, bytes: 1024 });
 *   const items = count(8);
 *   return [
 *     role('load', function* () {
 *       while (yield* items.more()) {
 *         using slot = yield* ab.produce();
 *         tma.load(slot);
 *       }
 *     }),
 *     role('mma', function* () {
 *       while (yield* items.more()) {
 *         using tile = yield* ab.consume();
 *         mma.issue(tile, [], { cycles: 128 });
 *         yield* mma.waitGroup(0);
 *       }
 *     }),
 *   ];
 * });
 * const { current, proposals } = await advise(single, { model: MODELS.h200 });
 * const hasStages = proposals.some(({ kind }) => kind === 'stages');
 * console.log(current.totalCycles > 0, hasStages); // true true
 */
export async function advise(kernel: Kernel, options: AdviseOptions): Promise<AdviseResult> {
  const advisor = new Advisor(kernel, options);
  await advisor.prepare();
  return advisor.result();
}

type Edit = (lists: Lists) => Lists | null;

class Advisor {
  readonly #kernel: Kernel;
  readonly #params: ResolvedParameters;
  readonly #program: Program;
  readonly #costs: Costs;
  readonly #options: AdviseOptions;
  /** Every role from start to end, and a shortened run for legality checks. */
  readonly #whole: Lists;
  #short: Lists = [];
  #items: number | null = null;
  readonly #current: number;

  constructor(kernel: Kernel, options: AdviseOptions) {
    this.#kernel = kernel;
    this.#params = resolveParameters(kernel, options.params);
    this.#options = options;
    this.#costs = costsOf(options.model);
    this.#program = new Program(kernel, this.#params);
    this.#whole = this.#drive();
    this.#current = cyclesOfLists(this.#program, this.#whole, this.#costs);
  }

  /** A run of a few laps decides the legality of an edit as well as a long one, and is cheaper. */
  async prepare(): Promise<void> {
    const { rings } = this.#program.declarations;
    const longest = rings.reduce((most, ring) => Math.max(most, ring.stages), 1);
    const items = longest + ITEMS_BEYOND_LAP;
    this.#short = this.#drive(items);
    this.#items = items;
    // A program whose counts depend on each other may only be correct as a whole.
    if ((await this.#legality(this.#short)).verdict !== 'counterexample') return;
    [this.#short, this.#items] = [this.#whole, null];
    const { verdict, why } = await this.#legality(this.#whole);
    if (verdict !== 'counterexample') return;
    throw new InputError(`advise needs a correct program: ${why}`);
  }

  async result(): Promise<AdviseResult> {
    const proposals = [
      await this.#raii(),
      ...(await this.#eachSite((site, at) => this.#earliest(site, at))),
      ...(await this.#eachSite((site, at) => this.#depths(site, at))),
      ...(await this.#orders()),
      ...(await this.#stages()),
    ];
    return {
      kernel: this.#kernel.name,
      params: this.#program.params,
      model: this.#options.model.name,
      caveat: this.#options.model.caveat,
      current: { totalCycles: this.#current },
      checkedItems: this.#items,
      proposals,
    };
  }

  #drive(items?: number): Lists {
    return this.#program.roles.map((_, role) => runLinear(this.#program, role, items));
  }

  #legality(lists: Lists): Promise<Legality> {
    return legality(this.#program, lists, this.#options.maxStates ?? DEFAULT_MAX_STATES);
  }

  /** The gain of an edit and whether it is legal; `null` if there is nothing to edit. */
  async #propose(kind: Proposal['kind'], change: string, edit: Edit): Promise<Proposal | null> {
    const [short, whole] = [edit(this.#short), edit(this.#whole)];
    if (short === null || whole === null) return null;
    const { verdict, why } = await this.#legality(short);
    const totalCycles = verdict === 'counterexample' ? Number.NaN : this.#cycles(whole);
    return { kind, change, totalCycles, speedup: this.#current / totalCycles, verdict, why };
  }

  /** An edit that is legal in a short run may still deadlock in a long one. */
  #cycles(lists: Lists): number {
    try {
      return cyclesOfLists(this.#program, lists, this.#costs);
    } catch (error) {
      if (error instanceof InputError) return Number.NaN;
      throw error;
    }
  }

  async #raii(): Promise<Proposal> {
    const change = 'RAII: release every handle right after its last use';
    const edit: Edit = (lists) => lists.map((list) => withDestructors(list));
    return (await this.#propose('raii', change, edit))!;
  }

  #sites(lists: Lists, role: number): ReleaseSite[] {
    return releaseSites(role, lists[role]!, this.#program.declarations.rings);
  }

  async #eachSite(
    advised: (site: ReleaseSite, at: number) => Promise<Proposal[]>,
  ): Promise<Proposal[]> {
    const proposals: Proposal[] = [];
    for (const role of this.#program.roles.keys()) {
      for (const [at, site] of this.#sites(this.#short, role).entries()) {
        proposals.push(...(await advised(site, at)));
      }
    }
    return proposals;
  }

  #editSite({ role }: ReleaseSite, at: number, edit: (...of: Editing) => Lists[number]): Edit {
    return (lists) => {
      const site = this.#sites(lists, role)[at];
      if (site === undefined) return null;
      return lists.map((list, other) => (other === role ? edit(list, site) : list));
    };
  }

  /** Moves a site's releases up until that is forbidden: the last legal position, the next one. */
  async #earliest(site: ReleaseSite, at: number): Promise<Proposal[]> {
    const list = this.#short[site.role]!;
    const held = heldOver(list, site.releases[0]!);
    let legal: Proposal | null = null;
    for (let by = 1; by <= Math.min(held.length, MAX_EARLIER); by++) {
      const over = CATALOGUE[list[held[held.length - by]!]!.op.kind]!.name;
      const change = `release ${this.#siteName(site)} before its ${over}, ${by} earlier`;
      const edit = this.#editSite(site, at, (of, own) => earlier(of, own, by));
      const proposal = await this.#propose('earlier', change, edit);
      if (proposal === null) break;
      if (proposal.verdict === 'counterexample') {
        return legal === null ? [proposal] : [legal, proposal];
      }
      legal = proposal;
    }
    return legal === null ? [] : [legal];
  }

  /** Scoped is depth 0; each depth holds one more stage while the next work runs. */
  async #depths(site: ReleaseSite, at: number): Promise<Proposal[]> {
    if (site.side !== Side.consume || site.releases.length <= MAX_DEPTH) return [];
    const proposals: Proposal[] = [];
    for (let depth = 1; depth <= MAX_DEPTH; depth++) {
      const rounds = depth === 1 ? 'one round' : `${depth} rounds`;
      const stage = this.#siteName(site);
      const change = `hand-over-hand: release ${stage} ${rounds} later, as a linear handle`;
      const edit = this.#editSite(site, at, (of, own) => handOverHand(of, own, depth));
      const proposal = await this.#propose('hand-over-hand', change, edit);
      if (proposal === null) break;
      proposals.push(proposal);
      if (proposal.verdict === 'counterexample') break;
    }
    return proposals;
  }

  /** Swaps releases that directly follow each other. */
  async #orders(): Promise<Proposal[]> {
    const proposals: Proposal[] = [];
    for (const role of this.#program.roles.keys()) {
      const sites = this.#sites(this.#short, role);
      for (const [one, first] of sites.entries()) {
        for (const [other, second] of sites.entries()) {
          if (first.ring === second.ring) continue;
          const change = `release ${this.#siteName(second)} before ${this.#siteName(first)}`;
          const proposal = await this.#propose('order', change, (lists) => {
            const own = this.#sites(lists, role);
            const edited = swapped(lists[role]!, own[one]!, own[other]!);
            return edited === null ? null : lists.map((list, at) => (at === role ? edited : list));
          });
          if (proposal !== null) proposals.push(proposal);
        }
      }
    }
    return proposals;
  }

  async #stages(): Promise<Proposal[]> {
    const { smem = Infinity } = this.#options;
    const bytes = stageBytes(this.#program, this.#short);
    const proposals: Proposal[] = [];
    for (const parameter of stageParameters(this.#kernel, this.#params)) {
      const options = { costs: this.#costs, bytes, smem };
      const choice = smallestStages(this.#kernel, this.#params, parameter, options);
      if (choice === null) continue;
      const { value, totalCycles } = choice;
      const params = this.#params.change({ [parameter]: value });
      const { verdict, findings, reason } = await check(this.#kernel, {
        params,
        sizes: 'requested',
      });
      const error = findings.find((finding) => finding.severity === 'error');
      const change =
        `${parameter}=${value}: the smallest within 1 % of the best that fits ` +
        `(${choice.bytes} bytes)`;
      const why = error === undefined ? (reason ?? null) : `${error.rule}: ${error.message}`;
      const speedup = this.#current / totalCycles;
      proposals.push({ kind: 'stages', change, totalCycles, speedup, verdict, why });
    }
    return proposals;
  }

  #siteName({ role, ring, place }: ReleaseSite): string {
    const stage = this.#program.declarations.rings[ring]!.name;
    const name = this.#options.name ?? formatPosition;
    const where = place === undefined ? '' : ` (${name(place)})`;
    return `${stage} in ${this.#program.roles[role]!.name}${where}`;
  }
}

type Editing = [list: Lists[number], site: ReleaseSite];
