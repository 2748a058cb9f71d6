// The view machine: what a move does to memory (memory-model.md, 3.1).
import { awaited, FLYING, groupsOver } from './control.ts';
import { landed, stepped, type Moved } from './control-moves.ts';
import { Draft, type Report } from './draft.ts';
import { fence } from './fences.ts';
import { issue, land, learn } from './flight-moves.ts';
import type { Writer } from './ledger.ts';
import type { ViewOptions } from './options.ts';
import { reach, useBarrier } from './reach.ts';
import type { Scene, SceneAgent, SceneStep } from './scene.ts';
import { receive, send } from './signals.ts';
import type { State } from './state.ts';
import { newer, union } from './views.ts';

/** One move from one state. */
export class Machine {
  readonly #draft: Draft;

  constructor(scene: Scene, options: ViewOptions, report: Report, state: State) {
    this.#draft = new Draft(scene, options, report, state);
  }

  /** The state after a move: an agent's number, or the number of agents and that of a flight. */
  move(number: number): State {
    const { agents } = this.#draft.scene;
    const { control } = this.#draft.state;
    const isStep = number < agents.length;
    const flight = number - agents.length;
    const moved = isStep
      ? stepped(this.#draft.scene, control, number)
      : landed(this.#draft.scene, control, flight);
    const isFirstPart =
      !isStep && this.#draft.scene.flights[flight]!.isTwoPart && control.flights[flight] === FLYING;
    this.#draft.state.control = moved.control;
    for (const fault of moved.faults) this.#draft.report('fault', fault);
    if (isStep) this.#step(number, agents[number]!, control.at[number]!, moved);
    else land(this.#draft, flight, isFirstPart, moved);
    return this.#draft.state;
  }

  #step(agent: number, of: SceneAgent, at: number, moved: Moved): void {
    const step = of.steps[at]!;
    const { op, message } = step;
    if (step.bar >= 0 && op.k !== 'init') useBarrier(this.#draft, agent, step);
    switch (op.k) {
      case 'R':
        return this.#read(agent, step);
      case 'W':
        return this.#write(agent, step, step.at);
      case 'init':
        return this.#write(agent, step, [this.#draft.scene.barriers[step.bar]?.bytesAt ?? -1]);
      case 'fence':
        return fence(this.#draft, agent, step);
      case 'gwait':
        return this.#waitGroups(agent, step);
      case 'wgwait':
      case 'cpwait':
      case 'twait': {
        const over = awaited(this.#draft.scene, step, agent);
        for (const flight of over)
          this.#draft.ledger.awaitReads(this.#draft.scene.flights[flight]!.readSlots);
        return learn(this.#draft, agent, over);
      }
      case 'gridwait':
        return this.#waitGrid(agent);
    }
    if (step.flight >= 0) issue(this.#draft, agent, step.flight);
    if (message < 0 && !moved.isLeaving && op.k !== 'wait') return;
    this.#signal(agent, step, moved);
  }

  #read(agent: number, { at, id, readSlots }: SceneStep): void {
    for (const [k, location] of at.entries()) {
      reach(this.#draft, location, agent, id);
      const view = this.#draft.view(agent);
      this.#draft.ledger.read(readSlots[k]!, view.generic[location]!);
      this.#draft.setView(agent, this.#draft.ledger.knowRead(view, readSlots[k]!));
    }
  }

  #write(agent: number, { id }: SceneStep, locations: readonly number[]): void {
    for (const location of locations) {
      reach(this.#draft, location, agent, id);
      const view = this.#draft.view(agent);
      const writer: Writer = { agent, isAsync: false, view, sees: view.generic, id };
      const version = this.#draft.ledger.write(location, writer);
      this.#draft.setView(agent, { ...view, generic: view.generic.with(location, version) });
    }
  }

  #waitGroups(agent: number, step: SceneStep): void {
    const { faults = {} } = this.#draft.options;
    const over = groupsOver(this.#draft.scene, step, agent, faults);
    const isRead = step.op.read === true && faults.readWaitsForWrites !== true;
    if (!isRead) learn(this.#draft, agent, over);
  }

  #waitGrid(agent: number): void {
    const view = this.#draft.view(agent);
    const { primary } = this.#draft.state;
    const reads = this.#draft.ledger.closeGrid(0);
    this.#draft.setView(agent, {
      ...view,
      generic: newer(view.generic, primary),
      async: newer(view.async, primary),
      known: union(view.known, reads),
      fenced: union(view.fenced, reads),
      released: union(view.released, reads),
    });
  }

  /** Signals and waits: what is sent at an arrival, and taken at the end of a wait. */
  #signal(agent: number, step: SceneStep, moved: Moved): void {
    const { op, message } = step;
    const isCluster = op.k === 'clarr' || op.k === 'clwait';
    const isRelaxed = op.sem === 'rlx' && this.#draft.options.faults?.relaxedCarriesMemory !== true;
    const isWidest = op.sc === 'gpu';
    const isWide = isCluster || isWidest || op.sc === 'cluster';
    const isMeeting = op.k === 'named' || op.k === 'narr' || op.k === 'sw';
    const { cta } = this.#draft.scene.agents[agent]!;
    const view = this.#draft.view(agent);
    if (moved.isArrival) {
      if (!isRelaxed) this.#draft.ledger.release(agent, view, isWide);
      const { phase } = moved;
      const end = { cta, isRelaxed, isWide, isWidest, phase, isMeeting };
      const sent = send(this.#draft, view, end);
      this.#draft.send(message, sent);
      return;
    }
    const phase = op.k === 'wait' ? op.ph! : moved.phase;
    const target = op.k === 'wait' ? { bar: step.bar } : { room: step.room };
    const here = { cta, isRelaxed, isWide, isWidest };
    let next = view;
    for (const [slot, { bar, room }] of this.#draft.scene.messages.entries()) {
      const one = this.#draft.state.messages[slot]!;
      const isFor = 'bar' in target ? bar === target.bar : room === target.room;
      if (isFor && one !== null && one.phase === phase)
        next = receive(this.#draft, next, one, here);
    }
    this.#draft.setView(agent, next);
  }
}
