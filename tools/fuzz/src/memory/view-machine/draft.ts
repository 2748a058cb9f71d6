// A state that a move is about to make, and what all parts of the view machine share.
import { Ledger } from './ledger.ts';
import type { ViewOptions } from './options.ts';
import type { Scene } from './scene.ts';
import type { State } from './state.ts';
import type { FlightView, Message, View } from './views.ts';

/** Where a fault is reported, by kind. */
export type Report = (kind: string, text: string) => void;

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export class Draft {
  readonly scene: Scene;
  readonly options: ViewOptions;
  readonly report: Report;
  readonly state: Writable<State>;
  readonly ledger: Ledger;
  readonly isIsa: boolean;
  /** T04: signals bring tensor memory through its fences alone. */
  readonly hasTensorFences: boolean;

  constructor(scene: Scene, options: ViewOptions, report: Report, state: State) {
    this.scene = scene;
    this.options = options;
    this.report = report;
    this.isIsa = options.profile === 'isa';
    this.hasTensorFences = this.isIsa && options.faults?.ignoresTensorFences !== true;
    this.state = { ...state };
    this.ledger = new Ledger(scene, options, report, this.state);
  }

  view(agent: number): View {
    return this.state.views[agent]!;
  }

  setView(agent: number, view: View): void {
    this.state.views = this.state.views.with(agent, view);
  }

  setFlight(number: number, view: FlightView): void {
    this.state.flights = this.state.flights.with(number, view);
  }

  send(slot: number, message: Message): void {
    this.state.messages = this.state.messages.with(slot, message);
  }

  isTensor(location: number): boolean {
    return this.scene.locations[location]!.space === 'tm';
  }
}
