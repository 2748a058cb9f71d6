// What each fence does to the view of its thread (S13, F01, I03, V02, T04, G04).
import type { Draft } from './draft.ts';
import type { SceneStep } from './scene.ts';
import { receive, receiveOrdered } from './signals.ts';
import { carriedOf, newer, union, where, type View } from './views.ts';

export function fence(draft: Draft, agent: number, { op, at }: SceneStep): void {
  const view = draft.view(agent);
  const { locations } = draft.scene;
  const isWidest = op.sc === 'gpu';
  const isWide = isWidest || op.sc === 'cluster';
  const scope = { isWide, isWidest };
  switch (op.f) {
    case 'async':
      return fenceProxy(draft, agent);
    case 'acq':
      return acquire(draft, agent, scope);
    case 'acqrel':
      acquire(draft, agent, scope);
      return remember(draft, agent, scope);
    case 'rel':
      return remember(draft, agent, scope);
    case 'init': {
      const isInit = (location: number): boolean => locations[location]!.space === 'bar';
      return draft.setView(agent, { ...view, inits: where(view.generic, view.inits, isInit) });
    }
    case 'tmrel': {
      const isMap = (location: number): boolean => locations[location]!.space === 'map';
      return draft.setView(agent, { ...view, maps: where(view.generic, view.maps, isMap) });
    }
    case 'tmacq': {
      const isNamed = (location: number): boolean => at.includes(location);
      return draft.setView(agent, {
        ...view,
        acquired: where(view.maps, view.acquired, isNamed),
        ofCta: where(view.maps, view.ofCta, isNamed),
      });
    }
    case 'wgf': {
      const isRegister = (one: number): boolean => locations[one]!.space === 'reg';
      draft.ledger.fenceRegisters(agent);
      return draft.setView(agent, {
        ...view,
        async: where(view.generic, view.async, isRegister),
      });
    }
    case 'tcb':
      draft.ledger.closeLoads(agent);
      return draft.setView(agent, {
        ...view,
        before: where(view.ordered, view.before, (one) => draft.isTensor(one)),
        tensorBefore: union(view.tensorBefore, view.tensor),
      });
    case 'tca':
      return draft.setView(agent, {
        ...view,
        generic: newer(view.generic, view.after),
        tensor: union(view.tensor, view.tensorAfter),
      });
  }
}

/** What is generic becomes known to the asynchronous proxy. */
function fenceProxy(draft: Draft, agent: number): void {
  const view = draft.view(agent);
  const all = draft.options.faults?.fencesAllWrites === true;
  const seen = all ? draft.state.versions : view.generic;
  draft.ledger.fenceReads(view);
  const fenced = union(view.fenced, view.known);
  const isMemory = (one: number): boolean => draft.scene.locations[one]!.space !== 'reg';
  const async = where(newer(view.async, seen), view.async, isMemory);
  draft.setView(agent, { ...view, async, fenced });
}

interface FenceScope {
  readonly isWide: boolean;
  readonly isWidest: boolean;
}

/** What was received relaxed counts from here on, by others of the block, too (H15). */
function acquire(draft: Draft, agent: number, scope: FenceScope): void {
  const view = draft.view(agent);
  const here = { cta: draft.scene.agents[agent]!.cta, isRelaxed: false, ...scope };
  let next: View = { ...view, aside: [] };
  for (const one of view.aside) next = receive(draft, next, one, here);
  for (const one of scope.isWidest ? view.passed.awaited : []) {
    next = receiveOrdered(draft, next, one, here);
    if (one.also !== null) next = receiveOrdered(draft, next, one.also, here);
  }
  draft.setView(agent, next);
}

function remember(draft: Draft, agent: number, scope: FenceScope): void {
  const view = draft.view(agent);
  draft.ledger.release(agent, view, scope.isWide);
  draft.setView(agent, { ...view, remembered: { ...carriedOf(view), ...scope } });
}
