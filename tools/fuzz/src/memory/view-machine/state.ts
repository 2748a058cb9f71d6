// A state of the view machine, and its key.
import { startOf, type Control } from './control.ts';
import type { Scene } from './scene.ts';
import { firstView, type FlightView, type Message, type Versions, type View } from './views.ts';

/** Who may still change what a read returns: bits of `open`. */
export const SAME_CTA = 1;
export const OTHER_CTA = 2;
export const OTHER_GRID = 4;
export const ASYNC = 8;
export const EVERYONE = 15;

/** Where a version is from: a thread; a thread, and one has read it back; asynchronous work. */
export const BY_THREAD = 0;
export const READ_BACK = 1;
export const BY_WORK = 2;

export interface ReadState {
  /** The versions that it may return, as bits. */
  readonly versions: number;
  readonly open: number;
  /** Its thread has waited for it: what the thread does later comes after it. */
  readonly isAwaited: boolean;
  /** A write that knows it has followed. */
  readonly isOver: boolean;
}

export interface State {
  readonly control: Control;
  /** By location, the newest version. */
  readonly versions: Versions;
  /** By location, the newest version that the first of two grids has made. */
  readonly primary: Versions;
  /** By location, where the newest version is from (H1, H2). */
  readonly origins: readonly number[];
  /** By number in the scene; `null` is what has not happened. */
  readonly reads: readonly (ReadState | null)[];
  readonly flights: readonly (FlightView | null)[];
  readonly messages: readonly (Message | null)[];
  readonly views: readonly View[];
}

export function firstState(scene: Scene): State {
  return {
    control: startOf(scene),
    versions: scene.locations.map(() => 0),
    primary: scene.locations.map(() => 0),
    origins: scene.locations.map(() => BY_THREAD),
    reads: scene.reads.map(() => null),
    flights: scene.flights.map(() => null),
    messages: scene.messages.map(() => null),
    views: scene.agents.map(() => firstView(scene)),
  };
}

/** Texts of parts of states: most parts are those of the state before. */
const TEXTS = new WeakMap<object, string>();

function textOf(part: object | null): string {
  if (part === null) return '-';
  const known = TEXTS.get(part);
  if (known !== undefined) return known;
  const text = JSON.stringify(part);
  TEXTS.set(part, text);
  return text;
}

/** Equal for equal states alone. */
export function keyOf(state: State): string {
  const { control, versions, primary, origins, reads, flights, messages, views } = state;
  const parts = [...reads, ...flights, ...messages, ...views].map(textOf);
  const numbers = [versions.join(), primary.join(), origins.join()];
  return [...Object.values(control).map(controlText), ...numbers, ...parts].join(' ');
}

function controlText(part: Control[keyof Control]): string {
  return typeof part === 'number' ? `${part}` : textOf(part);
}
