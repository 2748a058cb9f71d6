// The view machine: what a move does to memory (memory-model.md, 3.1).
import { awaited, groupsOver, hasBegun, isGone } from './control.ts';
import { landed, stepped, type Moved } from './control-moves.ts';
import { Ledger, type Writer } from './ledger.ts';
import type { ViewOptions } from './options.ts';
import {
  isSignal,
  type Scene,
  type SceneAgent,
  type SceneFlight,
  type SceneStep,
} from './scene.ts';
import { orderOnly, receive, send } from './signals.ts';
import { ASYNC, type State } from './state.ts';
import {
  carriedOf,
  newer,
  union,
  where,
  type Carried,
  type FlightView,
  type Versions,
  type View,
} from './views.ts';

/** Where a fault is reported, by kind. */
export type Report = (kind: string, text: string) => void;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** One move from one state. */
export class Machine {
  readonly #scene: Scene;
  readonly #options: ViewOptions;
  readonly #report: Report;
  readonly #isIsa: boolean;
  readonly #hasTensorFences: boolean;
  readonly #state: Writable<State>;
  readonly #ledger: Ledger;

  constructor(scene: Scene, options: ViewOptions, report: Report, state: State) {
    this.#scene = scene;
    this.#options = options;
    this.#report = report;
    this.#isIsa = options.profile === 'isa';
    this.#hasTensorFences = this.#isIsa && options.faults?.ignoresTensorFences !== true;
    this.#state = { ...state };
    this.#ledger = new Ledger(scene, options, report, this.#state);
  }

  /** The state after a move: an agent's number, or the number of agents and that of a flight. */
  move(number: number): State {
    const { agents } = this.#scene;
    const { control } = this.#state;
    const isStep = number < agents.length;
    const flight = number - agents.length;
    const moved = isStep
      ? stepped(this.#scene, control, number)
      : landed(this.#scene, control, flight);
    const isFirstPart =
      !isStep && this.#scene.flights[flight]!.isTwoPart && control.flights[flight] === 1;
    this.#state.control = moved.control;
    for (const fault of moved.faults) this.#report('fault', fault);
    if (isStep) this.#step(number, agents[number]!, control.at[number]!, moved);
    else this.#land(flight, isFirstPart, moved);
    return this.#state;
  }

  #step(agent: number, of: SceneAgent, at: number, moved: Moved): void {
    const step = of.steps[at]!;
    const { op, message } = step;
    if (step.bar >= 0 && op.k !== 'init') this.#useBarrier(agent, step);
    switch (op.k) {
      case 'R':
        for (const [k, location] of step.at.entries()) {
          this.#reach(location, agent, step.id);
          const view = this.#view(agent);
          this.#ledger.read(step.readSlots[k]!, view.generic[location]!);
          this.#setView(agent, this.#ledger.knowRead(view, step.readSlots[k]!));
        }
        return;
      case 'W':
      case 'init': {
        const { bytesAt } = this.#scene.barriers[step.bar] ?? { bytesAt: -1 };
        for (const location of op.k === 'init' ? [bytesAt] : step.at) {
          this.#reach(location, agent, step.id);
          const view = this.#view(agent);
          const writer: Writer = { agent, isAsync: false, view, sees: view.generic, id: step.id };
          const version = this.#ledger.write(location, writer);
          this.#setView(agent, { ...view, generic: view.generic.with(location, version) });
        }
        return;
      }
      case 'fence':
        return this.#fence(agent, step);
      case 'gwait': {
        const over = groupsOver(this.#scene, step, agent, this.#options.faults ?? {});
        const isRead = op.read === true && this.#options.faults?.readWaitsForWrites !== true;
        return isRead ? undefined : this.#learn(agent, over);
      }
      case 'wgwait':
      case 'cpwait':
      case 'twait': {
        const over = awaited(this.#scene, step, agent);
        for (const flight of over) this.#ledger.awaitReads(this.#scene.flights[flight]!.readSlots);
        return this.#learn(agent, over);
      }
      case 'gridwait': {
        const view = this.#view(agent);
        const { primary } = this.#state;
        const reads = this.#ledger.closeGrid(0);
        return this.#setView(agent, {
          ...view,
          generic: newer(view.generic, primary),
          async: newer(view.async, primary),
          known: union(view.known, reads),
          fenced: union(view.fenced, reads),
          released: union(view.released, reads),
        });
      }
    }
    if (step.flight >= 0) this.#issue(agent, step.flight);
    if (message < 0 && !moved.isLeaving && op.k !== 'wait') return;
    this.#signal(agent, step, moved);
  }

  /** Signals and waits: what is sent at an arrival, and taken at the end of a wait. */
  #signal(agent: number, step: SceneStep, moved: Moved): void {
    const { op, message } = step;
    const isCluster = op.k === 'clarr' || op.k === 'clwait';
    const isRelaxed = op.sem === 'rlx' && this.#options.faults?.relaxedCarriesMemory !== true;
    const isWide = isCluster || op.sc === 'cluster';
    const context = { scene: this.#scene, options: this.#options };
    const { cta } = this.#scene.agents[agent]!;
    const view = this.#view(agent);
    if (moved.isArrival) {
      if (!isRelaxed) this.#ledger.release(agent, view, isWide);
      const sent = send(context, view, { cta, isRelaxed, isWide, phase: moved.phase });
      this.#state.messages = this.#state.messages.with(message, sent);
      return;
    }
    const phase = op.k === 'wait' ? op.ph! : moved.phase;
    const target = op.k === 'wait' ? { bar: step.bar } : { room: step.room };
    const here = { cta, isRelaxed, isWide };
    let next = view;
    for (const [slot, { bar, room }] of this.#scene.messages.entries()) {
      const one = this.#state.messages[slot]!;
      const isFor = 'bar' in target ? bar === target.bar : room === target.room;
      if (isFor && one !== null && one.phase === phase) next = receive(context, next, one, here);
    }
    this.#setView(agent, next);
  }

  #fence(agent: number, { op, at }: SceneStep): void {
    const view = this.#view(agent);
    const { locations } = this.#scene;
    const isWide = op.sc === 'cluster';
    const context = { scene: this.#scene, options: this.#options };
    const { cta } = this.#scene.agents[agent]!;
    switch (op.f) {
      case 'async': {
        const all = this.#options.faults?.fencesAllWrites === true;
        const seen = all ? this.#state.versions : view.generic;
        this.#ledger.fenceReads(view);
        const fenced = union(view.fenced, view.known);
        const isMemory = (one: number): boolean => locations[one]!.space !== 'reg';
        const async = where(newer(view.async, seen), view.async, isMemory);
        return this.#setView(agent, { ...view, async, fenced });
      }
      case 'acq':
      case 'acqrel': {
        const here = { cta, isRelaxed: false, isWide };
        let next: View = { ...view, aside: [] };
        for (const one of view.aside) next = receive(context, next, one, here);
        this.#setView(agent, next);
        if (op.f === 'acq') return;
        return this.#remember(agent, isWide);
      }
      case 'rel':
        return this.#remember(agent, isWide);
      case 'init': {
        const isInit = (location: number): boolean => locations[location]!.space === 'bar';
        const none = view.generic.map(() => 0);
        const { remembered } = view;
        const before = remembered ?? {
          ...carriedOf(view),
          generic: none,
          async: none,
          ordered: none,
          maps: none,
          known: [],
          fenced: [],
          released: [],
        };
        const generic = newer(before.generic, where(view.generic, none, isInit));
        return this.#setView(agent, { ...view, remembered: { ...before, generic, isWide: true } });
      }
      case 'tmrel': {
        const isMap = (location: number): boolean => locations[location]!.space === 'map';
        return this.#setView(agent, { ...view, maps: where(view.generic, view.maps, isMap) });
      }
      case 'tmacq': {
        const isNamed = (location: number): boolean => at.includes(location);
        return this.#setView(agent, {
          ...view,
          acquired: where(view.maps, view.acquired, isNamed),
        });
      }
      case 'wgf': {
        const isRegister = (one: number): boolean => locations[one]!.space === 'reg';
        this.#ledger.fenceRegisters(agent);
        return this.#setView(agent, {
          ...view,
          async: where(view.generic, view.async, isRegister),
        });
      }
      case 'tcb':
        this.#ledger.closeLoads(agent);
        return this.#setView(agent, {
          ...view,
          before: where(view.ordered, view.before, (one) => locations[one]!.space === 'tm'),
          tensorBefore: union(view.tensorBefore, view.tensor),
        });
      case 'tca':
        return this.#setView(agent, {
          ...view,
          generic: newer(view.generic, view.after),
          tensor: union(view.tensor, view.tensorAfter),
        });
    }
  }

  #remember(agent: number, isWide: boolean): void {
    const view = this.#view(agent);
    this.#ledger.release(agent, view, isWide);
    this.#setView(agent, { ...view, remembered: { ...carriedOf(view), isWide } });
  }

  #issue(agent: number, number: number): void {
    const flight = this.#scene.flights[number]!;
    const view = this.#view(agent);
    if (!this.#isIsa) this.#ledger.closeOwn(agent);
    if (flight.unit === 'commit' && this.#isIsa) this.#ledger.closeLoads(agent);
    const carried = { ...carriedOf(view), generic: this.#sent(view, flight), own: null };
    const issued = this.#withEarlier(carried, flight);
    this.#setFlight(number, issued);
    for (const location of [...flight.reads, ...flight.writes]) {
      this.#reach(location, agent, flight.id);
    }
    for (const [k, slot] of flight.readSlots.entries()) {
      const location = flight.reads[k] ?? flight.map;
      const isMap = k >= flight.reads.length;
      const sees = isMap ? view.acquired : this.#through(flight, issued, location);
      const pending = flight.after.some((earlier) => {
        return this.#state.flights[earlier]?.own === null && this.#writes(earlier, location);
      });
      if (pending) this.#ledger.readLater(slot);
      else this.#ledger.read(slot, sees[location]!);
    }
  }

  #land(number: number, isFirstPart: boolean, moved: Moved): void {
    const flight = this.#scene.flights[number]!;
    const { unit, agent, reads, writes, message } = flight;
    let view = this.#withEarlier(this.#state.flights[number]!, flight);
    const isSecondPart = flight.isTwoPart && !isFirstPart;
    if (!isSecondPart) {
      for (const location of reads) this.#requireThere(location, flight, true);
      this.#ledger.closeFlight(number, unit === 'tld' && this.#hasTensorFences ? ASYNC : 0);
    }
    if (isFirstPart) return;
    for (const location of writes) {
      this.#requireThere(location, flight, false);
      const sees = this.#through(flight, view, location);
      const isAsync = unit !== 'cpa';
      this.#ledger.write(location, { agent, isAsync, view, sees, id: flight.id, flight: number });
    }
    view = { ...view, own: this.#own(flight, view) };
    this.#setFlight(number, view);
    if (message < 0) return;
    if (this.#isIsa) this.#ledger.releaseKnown(view.known);
    const own = view.own!;
    const joined = {
      ...carriedOf(view),
      generic: newer(view.generic, own.generic),
      async: newer(view.async, own.async),
      ordered: newer(view.ordered, own.generic),
    };
    const { cta } = this.#scene.agents[agent]!;
    const sent = { ...joined, cta, isWide: true, isAlways: true, phase: moved.phase };
    this.#state.messages = this.#state.messages.with(message, sent);
  }

  /** T04: a commit brings tensor memory as after a fence, and other completions what was fenced. */
  #sent(view: View, { unit, bar }: SceneFlight): Versions {
    if (!this.#hasTensorFences || bar < 0) return view.generic;
    const { locations } = this.#scene;
    const seen = unit === 'commit' ? view.ordered : view.before;
    return where(seen, view.generic, (one) => locations[one]!.space === 'tm');
  }

  /** What a flight wrote, or of a signal, what the work before it did. */
  #own(flight: SceneFlight, view: Carried): FlightView['own'] {
    const { unit, writes } = flight;
    const { versions } = this.#state;
    if (isSignal(flight)) return { generic: view.generic, async: view.async };
    const none = versions.map(() => 0);
    const written = where(versions, none, (location) => writes.includes(location));
    const isUnfenced = unit === 'cpa' && this.#isIsa;
    return { generic: written, async: isUnfenced ? none : written };
  }

  /** A view with what the work did that had to come before. */
  #withEarlier(view: FlightView, { after }: SceneFlight): FlightView {
    let { generic, async, ordered, tensor } = view;
    for (const earlier of after) {
      const own = this.#state.flights[earlier]?.own ?? null;
      if (own === null) continue;
      generic = newer(generic, own.generic);
      async = newer(async, own.async);
      ordered = newer(ordered, own.generic);
      tensor = union(tensor, this.#tensorReads(earlier));
    }
    return { ...view, generic, async, ordered, tensor };
  }

  #learn(agent: number, flights: readonly number[]): void {
    const context = { scene: this.#scene, options: this.#options };
    let view = this.#view(agent);
    for (const flight of flights) {
      const { own, ...issued } = this.#state.flights[flight]!;
      if (own === null) continue;
      const isOfTeam = this.#scene.flights[flight]!.agent !== agent;
      if (isOfTeam) view = orderOnly(context, view, issued);
      view = {
        ...view,
        generic: newer(view.generic, own.generic),
        async: newer(view.async, own.async),
        ordered: newer(view.ordered, own.generic),
        tensor: union(view.tensor, this.#tensorReads(flight)),
      };
    }
    this.#setView(agent, view);
  }

  /** Reads of tensor memory by a flight, if they are known by level. */
  #tensorReads(flight: number): readonly number[] {
    if (!this.#hasTensorFences || this.#options.readsHaveLevels !== true) return [];
    const { readSlots } = this.#scene.flights[flight]!;
    return readSlots.filter((slot) => {
      return this.#scene.locations[this.#scene.reads[slot]!.at]!.space === 'tm';
    });
  }

  /** The versions that a flight may see of a location: through its proxy, if there is one. */
  #through({ unit }: SceneFlight, view: Carried, location: number): Versions {
    const { space } = this.#scene.locations[location]!;
    // G04: in `isa` a thread fences its registers before wgmma uses them.
    const isGeneric = space === 'tm' || (space === 'reg' && !this.#isIsa) || unit === 'cpa';
    if (isGeneric) return view.generic;
    const isOne = this.#options.faults?.noAsyncProxy === true;
    return isOne ? newer(view.async, view.generic) : view.async;
  }

  #writes(flight: number, location: number): boolean {
    return this.#scene.flights[flight]!.writes.includes(location);
  }

  /** I01: whether the one who uses a barrier may see that it is initialized. */
  #useBarrier(agent: number, { bar, id }: SceneStep): void {
    const { bytesAt, cta, name } = this.#scene.barriers[bar]!;
    this.#reachCta(cta, agent, `${id} reaches ${name}`);
    if (bytesAt < 0) return;
    const newest = this.#state.versions[bytesAt]!;
    if (newest === 0 || this.#view(agent).generic[bytesAt] !== newest) {
      this.#report('init', `${id} uses ${name} and may not see its initialization`);
    }
  }

  #reach(location: number, agent: number, id: string): void {
    const { space, cta, name } = this.#scene.locations[location]!;
    if (space === 'sh') this.#reachCta(cta, agent, `${id} reaches ${name}`);
  }

  /** X01: a CTA that another one reaches has begun, and has not ended. */
  #reachCta(cta: number, agent: number, text: string): void {
    const { hasEnds, hasBegins, agents } = this.#scene;
    if (!hasEnds || agents[agent]!.cta === cta) return;
    const { control } = this.#state;
    if (isGone(this.#scene, control, cta)) this.#report('exit', `${text} of a CTA that has ended`);
    if (hasBegins && !hasBegun(this.#scene, control, cta)) {
      this.#report('begin', `${text} of a CTA that has not begun`);
    }
  }

  /** X02, L03: a flight lands in a CTA that has not ended; in-order work of its own is exempt. */
  #requireThere(location: number, { unit, agent, id }: SceneFlight, isRead: boolean): void {
    const { space, cta, name } = this.#scene.locations[location]!;
    const { hasEnds, agents } = this.#scene;
    if (!hasEnds || (space !== 'sh' && space !== 'tm')) return;
    const isInOrder = unit === 'tc' || unit === 'wg';
    if (isInOrder && agents[agent]!.cta === cta) return;
    // H7: a store may still read.
    if (isRead && unit === 'bulk' && !this.#isIsa) return;
    if (!isGone(this.#scene, this.#state.control, cta)) return;
    this.#report('exit', `${id} ${isRead ? 'reads' : 'writes'} ${name} of a CTA that has ended`);
  }

  #view(agent: number): View {
    return this.#state.views[agent]!;
  }

  #setView(agent: number, view: View): void {
    this.#state.views = this.#state.views.with(agent, view);
  }

  #setFlight(number: number, view: FlightView): void {
    this.#state.flights = this.#state.flights.with(number, view);
  }
}
