// Asynchronous work: what it sees at its issue, does as it lands, and brings to those who wait.
import type { Moved } from './control-moves.ts';
import type { Draft } from './draft.ts';
import { reach, requireThere } from './reach.ts';
import { isSignal, type SceneFlight } from './scene.ts';
import { orderOnly } from './signals.ts';
import { ASYNC } from './state.ts';
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

/** An agent issues a flight, which sees what the agent sees. */
export function issue(draft: Draft, agent: number, number: number): void {
  const flight = draft.scene.flights[number]!;
  const view = draft.view(agent);
  if (!draft.isIsa) draft.ledger.closeOwn(agent);
  if (flight.unit === 'commit' && draft.isIsa) draft.ledger.closeLoads(agent);
  const carried = { ...carriedOf(view), generic: seenAtIssue(draft, view, flight), own: null };
  const issued = withEarlier(draft, carried, flight);
  draft.setFlight(number, issued);
  for (const location of [...flight.reads, ...flight.writes]) {
    reach(draft, location, agent, flight.id);
  }
  for (const [k, slot] of flight.readSlots.entries()) {
    const location = flight.reads[k] ?? flight.map;
    const isMap = k >= flight.reads.length;
    const acquired = draft.isIsa ? view.acquired : newer(view.acquired, view.ofCta);
    const sees = isMap ? acquired : through(draft, flight, issued, location);
    const pending = flight.after.some((earlier) => {
      return draft.state.flights[earlier]?.own === null && doesWrite(draft, earlier, location);
    });
    if (pending) draft.ledger.readLater(slot);
    else draft.ledger.read(slot, sees[location]!);
  }
}

/** A flight lands, or the first part of it. */
export function land(draft: Draft, number: number, isFirstPart: boolean, moved: Moved): void {
  const flight = draft.scene.flights[number]!;
  const { unit, agent, reads, writes, message } = flight;
  let view = withEarlier(draft, draft.state.flights[number]!, flight);
  const isSecondPart = flight.isTwoPart && !isFirstPart;
  if (!isSecondPart) {
    for (const location of reads) requireThere(draft, location, flight, true);
    draft.ledger.closeFlight(number, unit === 'tld' && draft.hasTensorFences ? ASYNC : 0);
  }
  if (isFirstPart) return;
  for (const location of writes) {
    requireThere(draft, location, flight, false);
    const sees = through(draft, flight, view, location);
    const isAsync = unit !== 'cpa';
    draft.ledger.write(location, { agent, isAsync, view, sees, id: flight.id, flight: number });
  }
  view = { ...view, own: ownOf(draft, flight, view) };
  draft.setFlight(number, view);
  if (message < 0) return;
  if (draft.isIsa) draft.ledger.releaseKnown(view.known);
  const own = view.own!;
  const joined = {
    ...carriedOf(view),
    generic: newer(view.generic, own.generic),
    async: newer(view.async, own.async),
    ordered: newer(view.ordered, own.generic),
  };
  const { cta } = draft.scene.agents[agent]!;
  const { phase } = moved;
  const mark = { cta, isWide: true, isAlways: true, phase, also: null, passes: null };
  const sent = { ...joined, ...mark };
  const inits = draft.view(agent).inits.map(() => 0);
  draft.send(message, { ...sent, inits, isWideOfInits: true });
}

/** T04: a commit brings tensor memory as after a fence, and other completions what was fenced. */
function seenAtIssue(draft: Draft, view: View, { unit, bar }: SceneFlight): Versions {
  if (!draft.hasTensorFences || bar < 0) return view.generic;
  const seen = unit === 'commit' ? view.ordered : view.before;
  return where(seen, view.generic, (one) => draft.isTensor(one));
}

/** What a flight wrote, or of a signal, what the work before it did. */
function ownOf(draft: Draft, flight: SceneFlight, view: Carried): FlightView['own'] {
  const { unit, writes } = flight;
  const { versions } = draft.state;
  if (isSignal(flight)) return { generic: view.generic, async: view.async };
  const none = versions.map(() => 0);
  const written = where(versions, none, (location) => writes.includes(location));
  const isUnfenced = unit === 'cpa' && draft.isIsa;
  return { generic: written, async: isUnfenced ? none : written };
}

/** A view with what the work did that had to come before. */
function withEarlier(draft: Draft, view: FlightView, { after }: SceneFlight): FlightView {
  let { generic, async, ordered, tensor } = view;
  for (const earlier of after) {
    const own = draft.state.flights[earlier]?.own ?? null;
    if (own === null) continue;
    generic = newer(generic, own.generic);
    async = newer(async, own.async);
    ordered = newer(ordered, own.generic);
    tensor = union(tensor, tensorReads(draft, earlier));
  }
  return { ...view, generic, async, ordered, tensor };
}

/** An agent has waited for flights: it knows what they did. */
export function learn(draft: Draft, agent: number, flights: readonly number[]): void {
  let view = draft.view(agent);
  for (const flight of flights) {
    const { own, ...issued } = draft.state.flights[flight]!;
    if (own === null) continue;
    if (draft.scene.flights[flight]!.agent !== agent) {
      const ordered = newer(issued.ordered, own.generic);
      view = orderOnly(draft, view, { ...issued, ordered });
      continue;
    }
    view = {
      ...view,
      generic: newer(view.generic, own.generic),
      async: newer(view.async, own.async),
      ordered: newer(view.ordered, own.generic),
      tensor: union(view.tensor, tensorReads(draft, flight)),
    };
  }
  draft.setView(agent, view);
}

/** Reads of tensor memory by a flight, if they are known by level. */
function tensorReads(draft: Draft, flight: number): readonly number[] {
  if (!draft.hasTensorFences || draft.options.readsHaveLevels !== true) return [];
  const { readSlots } = draft.scene.flights[flight]!;
  return readSlots.filter((slot) => {
    return draft.isTensor(draft.scene.reads[slot]!.at);
  });
}

/** The versions that a flight may see of a location: through its proxy, if there is one. */
function through(draft: Draft, { unit }: SceneFlight, view: Carried, location: number): Versions {
  const { space } = draft.scene.locations[location]!;
  // G04: in `isa` a thread fences its registers before wgmma uses them.
  const isGeneric = space === 'tm' || (space === 'reg' && !draft.isIsa) || unit === 'cpa';
  if (isGeneric) return view.generic;
  const isOne = draft.options.faults?.noAsyncProxy === true;
  return isOne ? newer(view.async, view.generic) : view.async;
}

function doesWrite(draft: Draft, flight: number, location: number): boolean {
  return draft.scene.flights[flight]!.writes.includes(location);
}
