// Random signals: from the agent that acts to the one that acts next.
import type { LitmusOp } from '../litmus-program.ts';
import type { Act } from './accesses.ts';
import type { Plan } from './plan.ts';

type Ends = Pick<LitmusOp, 'sem' | 'sc'>;

/** Semantics and scope of one end: mostly what is needed. */
function end({ draw, theme }: Plan): Ends {
  const isWide = theme.ctas > 1 ? !draw.once(4) : draw.once(2);
  return {
    ...(draw.once(7) ? { sem: 'rlx' } : {}),
    ...(isWide ? { sc: wide(draw) } : {}),
  };
}

function scope({ draw, theme }: Plan): LitmusOp['sc'] {
  return draw.once(theme.ctas > 1 ? 5 : 2) ? 'cta' : wide(draw);
}

function wide(draw: Plan['draw']): LitmusOp['sc'] {
  return draw.once(3) ? 'gpu' : 'cluster';
}

/** Another agent of the same grid, or the same one. */
function nextAgent(plan: Plan): number {
  const all = [...plan.agents.keys()];
  const same = all.filter((one) => plan.agents[one]!.grid === plan.here.grid);
  return plan.draw.pick(same);
}

/** One agent arrives and another one waits. */
export const signal: Act = (plan) => {
  const { draw, here } = plan;
  const to = nextAgent(plan);
  const isJoint = plan.strand === null && here.strands > 1 && draw.once(2);
  const bar = plan.barrier(plan.agents[to]!.cta, isJoint ? here.strands : 1);
  const add = (op: LitmusOp): void => (isJoint ? plan.add(op) : plan.addOfOne(op));
  if (draw.once(6)) add({ k: 'fence', f: draw.pick(['rel', 'acqrel']), sc: scope(plan) });
  if (draw.once(5)) add({ k: 'fence', f: 'tcb' });
  add({ k: 'arr', b: bar, ...end(plan) });
  waitAt(plan, to, bar);
};

/** An agent waits, and acts from now on. */
function waitAt(plan: Plan, to: number, bar: string, isCompletion = false): void {
  const { draw } = plan;
  plan.moveTo(to);
  plan.add({ k: 'wait', b: bar, ph: 0, ...(isCompletion && draw.once(2) ? {} : end(plan)) });
  if (draw.once(6)) plan.add({ k: 'fence', f: draw.pick(['acq', 'acqrel']), sc: scope(plan) });
  if (draw.once(5)) plan.add({ k: 'fence', f: 'tca' });
}

/**
 * Threads of a CTA meet, mostly behind fences, and one of them signals for all, mostly relaxed; or
 * one waits for all, and they fence behind a barrier (H15).
 */
export const signalForAll: Act = (plan) => {
  const { draw } = plan;
  const orders = { sc: draw.once(5) ? wide(draw) : 'gpu', sem: 'rlx' } as const;
  const sends = draw.once(2);
  if (sends) meetFenced(plan, true);
  const to = nextAgent(plan);
  const bar = plan.barrier(plan.agents[to]!.cta);
  plan.addOfOne({ k: 'arr', b: bar, ...(sends ? orders : end(plan)) });
  plan.moveTo(to);
  plan.addOfOne({ k: 'wait', b: bar, ph: 0, ...(sends ? end(plan) : orders) });
  if (!sends || draw.once(2)) meetFenced(plan, false);
};

/** All agents of a CTA meet, each with a fence before it or behind it, or without one. */
function meetFenced(plan: Plan, isBefore: boolean): void {
  const { draw, here, agents } = plan;
  const all = agents.filter(({ cta, grid }) => cta === here.cta && grid === here.grid);
  const strands = all.reduce((sum, agent) => sum + agent.strands, 0);
  const bid = plan.newId;
  for (const { ops } of all) {
    const f = draw.pick(['acqrel', isBefore ? 'rel' : 'acq']);
    const fence: LitmusOp[] = draw.once(5) ? [] : [{ k: 'fence', f, sc: scope(plan) }];
    if (isBefore) ops.push(...fence);
    if (strands > 1) ops.push({ k: 'named', n: strands, bid });
    if (!isBefore) ops.push(...fence);
  }
  plan.moveTo(agents.indexOf(draw.pick(all)));
}

/** The barrier of an earlier signal once more: its second phase. */
export const signalAgain: Act = (plan) => {
  const { draw, agents } = plan;
  const waits = agents.flatMap(({ ops }, agent) =>
    ops.filter(({ k }) => k === 'wait').map(({ b, ph }) => ({ agent, bar: b!, phase: ph! })),
  );
  const again = waits.filter(({ bar, phase, agent }) => {
    const isLast = !waits.some((other) => other.bar === bar && other.phase > phase);
    const isInitialized = agents.some(({ ops }) =>
      ops.some(({ k, b }) => k === 'init' && b === bar),
    );
    return (
      isLast &&
      !isInitialized &&
      plan.barriers[bar]!.n === 1 &&
      agents[agent]!.grid === plan.here.grid
    );
  });
  if (again.length === 0) return;
  const { bar, agent, phase } = draw.pick(again);
  const isBytes = agents.some(({ ops }) => ops.some(({ b, k }) => b === bar && k === 'copy'));
  if (isBytes || phase > 1) return;
  plan.addOfOne({ k: 'arr', b: bar, ...end(plan) });
  plan.moveTo(agent);
  plan.add({ k: 'wait', b: bar, ph: phase + 1, ...end(plan) });
};

/** Another agent goes on without a signal. */
export const jump: Act = (plan) => {
  const { draw, theme, agents } = plan;
  if (theme.hasGrids || draw.once(3)) plan.moveTo(draw.below(agents.length));
};

/** A copy that completes on a barrier of the CTA that it writes, and who waits for it. */
export const load: Act = (plan) => {
  const { draw, theme, agents } = plan;
  const to = nextAgent(plan);
  const { cta } = agents[to]!;
  const places = plan.locations(undefined, cta);
  if (places.length === 0) return;
  const bar = plan.barrier(cta);
  const map = theme.hasMaps && !draw.once(3) ? { map: 'q' } : {};
  const copy: LitmusOp = { k: 'copy', w: [draw.pick(places)], b: bar, bytes: 64, ...map };
  const expect: LitmusOp = { k: 'arr', b: bar, tx: 64 };
  const isByWaiter = draw.once(4);
  if (isByWaiter) plan.addOfOne(copy);
  else plan.addOfOne({ ...expect, ...(draw.once(2) ? { sc: 'cluster' } : {}) }, copy);
  if (draw.once(5)) plan.addOfOne({ k: 'W', l: copy.w![0]! });
  if (isByWaiter) {
    plan.moveTo(to);
    plan.addOfOne(expect);
    const { strand } = plan;
    plan.moveTo(to, strand);
  }
  waitAt(plan, to, bar, true);
};

/** Work of a tensor core, committed to whom waits for it. */
export const multiply: Act = (plan) => {
  const { draw, here } = plan;
  const [own] = plan.locations('tm', here.cta);
  if (own === undefined) return;
  const near = plan.locations(
    undefined,
    plan.theme.ctas > 1 && draw.once(4) ? undefined : here.cta,
  );
  const reads = near.length > 0 && !draw.once(3) ? [draw.pick(near)] : [];
  plan.addOfOne({ k: 'mma', r: draw.once(3) ? [...reads, own] : reads, w: [own] });
  if (draw.once(5)) plan.addOfOne({ k: 'mma', r: reads, w: [own] });
  if (draw.once(6)) return;
  const to = nextAgent(plan);
  const bar = plan.barrier(plan.agents[to]!.cta);
  plan.addOfOne({ k: 'commit', b: bar });
  waitAt(plan, to, bar, true);
};

/** Copies of a thread that signal as they land. */
export const copyAndSignal: Act = (plan) => {
  const { draw, here } = plan;
  const places = plan.locations(undefined, here.cta);
  const near = [...plan.agents.keys()].filter((one) => {
    const { cta, grid } = plan.agents[one]!;
    return cta === here.cta && grid === here.grid;
  });
  if (places.length === 0) return;
  const to = draw.pick(near);
  const bar = plan.barrier(here.cta);
  plan.addOfOne({ k: 'cpa', w: [draw.pick(places)] }, { k: 'cparr', b: bar });
  waitAt(plan, to, bar, true);
};
