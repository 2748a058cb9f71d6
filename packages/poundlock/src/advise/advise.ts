// advise: compares ownerships, release points and stage counts, each with a verdict and cycles.
import {
  formatPosition,
  grouped,
  InputError,
  option,
  optionTable,
} from '@poundlock/core/internal/base';
import { requireOptions, ViolationError } from '@poundlock/core/internal/base';
import type { OptionsOf, Position } from '@poundlock/core/internal/base';
import { check } from '../check/index.ts';
import type { Parameters, Proposal } from '@poundlock/core/internal/finding';
import { CATALOGUE, isGhostOp, Side, type Op } from '@poundlock/core/internal/op';
import {
  ChoiceError,
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
import { costsOf, gpuModel, predictWith, type Costs } from '../simulate/index.ts';
import { earlier, handOverHand, heldOver, swapped } from './edits.ts';
import { releaseSites, type ReleaseSite } from './releases.ts';
import { smallestStages, stageBytes, stageParameters } from './stages.ts';
import {
  cyclesOfLists,
  DEFAULT_MAX_STATES,
  legality,
  played,
  type Legality,
  type Lists,
} from './variant.ts';

/** The most operations across which a release is moved. */
const MAX_EARLIER = 12;
/** The greatest depth of hand over hand that is tried. */
const MAX_DEPTH = 3;
/** Items of a legality check, beyond one lap of the longest ring. */
const ITEMS_BEYOND_LAP = 2;

const ADVISE = optionTable({
  /** The GPU model that predicts times. */
  model: gpuModel,
  /** Kernel parameters that differ from their defaults. */
  params: option.checkedLater<KernelParameters>(),
  /** Shared memory for stages, in bytes. */
  smem: option.amount,
  /** States that each check stores before it is inconclusive. */
  maxStates: option.amount,
  /** How a source position is named in the output. */
  name: option.callable<(place: Position) => string>(),
  /**
   * Called with each proposal that can be run, and the changed kernel.
   *
   * @internal
   */
  onProposal: option.internal(option.callable<(proposal: Proposal, changed: Changed) => void>()),
  /** Called before each proposal is tried, with the number of those before it. */
  onProgress: option.callable<(tried: number) => void>(),
});

/** A kernel as a proposal changes it. */
export interface Changed {
  readonly kernel: Kernel;
  readonly params: KernelParameters;
}

/** Options of {@link advise}. */
export interface AdviseOptions extends OptionsOf<typeof ADVISE, 'model'> {}

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
  /** Why only numbers of stages are compared: a role has choices; `null` where all is tried. */
  readonly limit: string | null;
  /** The proposals, the fastest certified ones first. */
  readonly proposals: readonly Proposal[];
}

/**
 * Proposes changes of release points, of the order of operations and of numbers of stages. Each
 * proposal has a verdict of `check` and a predicted time; none is called legal that is not
 * certified. For a kernel with choices it compares numbers of stages alone.
 *
 * @throws InputError for a kernel that is wrong as it is.
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
  requireOptions('advise()', ADVISE, options);
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
  #whole: Lists = [];
  #short: Lists = [];
  /** Why there are no lists. */
  #limit: string | null = null;
  #items: number | null = null;
  readonly #current: number;
  #tried = 0;

  constructor(kernel: Kernel, options: AdviseOptions) {
    this.#kernel = kernel;
    this.#params = resolveParameters(kernel, options.params);
    this.#options = options;
    this.#costs = costsOf(options.model);
    this.#program = Program.together(kernel, this.#params);
    try {
      this.#whole = this.#drive();
    } catch (error) {
      if (!(error instanceof ChoiceError)) throw error;
      const where = error.position === undefined ? '' : ` (${this.#named(error.position)})`;
      this.#limit = `only numbers of stages are compared: ${error.choice}${where}`;
    }
    this.#current =
      this.#limit === null
        ? cyclesOfLists(this.#program, this.#whole, this.#costs)
        : predictWith(this.#program, this.#costs);
  }

  /** A run of a few laps decides the legality of an edit as well as a long one, and is cheaper. */
  async prepare(): Promise<void> {
    if (this.#limit !== null) return this.#requireCorrect();
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
    throw new ViolationError(`advise needs a correct program: ${why}`);
  }

  /** A program with choices is checked itself. */
  async #requireCorrect(): Promise<void> {
    const { maxStates = DEFAULT_MAX_STATES } = this.#options;
    const { findings } = await check(this.#kernel, { params: this.#params, maxStates });
    const error = findings.find((finding) => finding.severity === 'error');
    if (error === undefined) return;
    throw new ViolationError(`advise needs a correct program: ${error.rule}: ${error.message}`);
  }

  async result(): Promise<AdviseResult> {
    const edits = this.#limit === null ? await this.#edits() : [];
    const proposals = [...edits, ...(await this.#stages())];
    return {
      kernel: this.#kernel.name,
      params: this.#program.params,
      model: this.#options.model.name,
      caveat: this.#options.model.caveat,
      current: { totalCycles: this.#current },
      checkedItems: this.#items,
      limit: this.#limit,
      proposals,
    };
  }

  async #edits(): Promise<Proposal[]> {
    return [
      ...(await this.#raii()),
      ...(await this.#eachSite((site, at) => this.#earliest(site, at))),
      ...(await this.#eachSite((site, at) => this.#depths(site, at))),
      ...(await this.#orders()),
    ];
  }

  #drive(items?: number): Lists {
    return this.#program.roles.map((_, role) => runLinear(this.#program, role, items));
  }

  #legality(lists: Lists): Promise<Legality> {
    return legality(this.#program, lists, this.#options.maxStates ?? DEFAULT_MAX_STATES);
  }

  /** The gain of an edit and whether it is legal; `null` if there is nothing to edit. */
  async #propose(kind: Proposal['kind'], change: string, edit: Edit): Promise<Proposal | null> {
    this.#options.onProgress?.(this.#tried++);
    const [short, whole] = [edit(this.#short), edit(this.#whole)];
    if (short === null || whole === null) return null;
    const { verdict, why } = await this.#legality(short);
    const totalCycles = verdict === 'counterexample' ? Number.NaN : this.#cycles(whole);
    const speedup = this.#current / totalCycles;
    const proposal: Proposal = { kind, change, totalCycles, speedup, verdict, why };
    if (!Number.isNaN(totalCycles)) {
      const changed = { kernel: played(this.#kernel, whole), params: this.#program.params };
      this.#options.onProposal?.(proposal, changed);
    }
    return proposal;
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

  /** Nothing where every release already is right after the last use, or there is no handle. */
  async #raii(): Promise<Proposal[]> {
    const change = 'RAII: release every handle right after its last use';
    const edit: Edit = (lists) => {
      const edited = lists.map((list) => withDestructors(list));
      return edited.every((list, role) => isSame(list, lists[role]!)) ? null : edited;
    };
    const proposal = await this.#propose('raii', change, edit);
    return proposal === null ? [] : [proposal];
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
        // A line that several roles run is edited in all of them, with the first one.
        if (this.#rolesAt(site.place, role)[0] === role)
          proposals.push(...(await advised(site, at)));
      }
    }
    return proposals;
  }

  /** Roles that release at a line of the program; `own` alone where the line is not known. */
  #rolesAt(place: Position | undefined, own: number): number[] {
    if (place === undefined) return [own];
    const isThere = (role: number): boolean =>
      this.#sites(this.#short, role).some((site) => isAt(site, place));
    return [...this.#program.roles.keys()].filter(isThere);
  }

  /** An edit of the sites at one line, in every role that runs it. */
  #editSite(
    { role, place }: ReleaseSite,
    at: number,
    edit: (...of: Editing) => Lists[number],
  ): Edit {
    return (lists) => {
      const own = this.#sites(lists, role)[at];
      if (own === undefined) return null;
      const roles = new Set(this.#rolesAt(place, role));
      return lists.map((list, other) => {
        if (other === role) return edit(list, own);
        if (!roles.has(other) || place === undefined) return list;
        const site = this.#sites(lists, other).find((one) => isAt(one, place));
        return site === undefined ? list : edit(list, site);
      });
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
    const bytes = stageBytes(this.#program, this.#costs);
    const proposals: Proposal[] = [];
    for (const parameter of stageParameters(this.#kernel, this.#params)) {
      this.#options.onProgress?.(this.#tried++);
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
        `(${grouped(choice.bytes)} B)`;
      const why = error === undefined ? (reason ?? null) : `${error.rule}: ${error.message}`;
      const speedup = this.#current / totalCycles;
      const proposal: Proposal = { kind: 'stages', change, totalCycles, speedup, verdict, why };
      this.#options.onProposal?.(proposal, {
        kernel: this.#kernel,
        params: { ...this.#program.params, [parameter]: value },
      });
      proposals.push(proposal);
    }
    return proposals;
  }

  #siteName({ role, ring, place }: ReleaseSite): string {
    const stage = this.#program.declarations.rings[ring]!.name;
    const where = place === undefined ? '' : ` (${this.#named(place)})`;
    const roles = this.#rolesAt(place, role).map((at) => this.#program.roles[at]!.name);
    return `${stage} in ${roles.join(', ')}${where}`;
  }

  #named(place: Position): string {
    return (this.#options.name ?? formatPosition)(place);
  }
}

type Editing = [list: Lists[number], site: ReleaseSite];

function isAt({ place }: ReleaseSite, { file, line, column }: Position): boolean {
  return place?.file === file && place.line === line && place.column === column;
}

/** Whether two lists perform the same operations in the same order. */
function isSame(one: Lists[number], other: Lists[number]): boolean {
  const performed = (list: Lists[number]): Op[] =>
    list.flatMap(({ op }) => (isGhostOp(op) ? [] : [op]));
  const [a, b] = [performed(one), performed(other)];
  return a.length === b.length && a.every((op, at) => op === b[at]);
}
