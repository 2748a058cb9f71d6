// Random accesses, fences and asynchronous work of the agent that acts.
import type { Plan } from './plan.ts';

/** Something that the agent may do next. */
export type Act = (plan: Plan) => void;

/** Memory that threads read and write: mostly shared memory of the CTA. */
function anyPlace(plan: Plan): string {
  const { draw, theme, here } = plan;
  const { cta } = here;
  if (theme.hasGrids || draw.once(8)) return draw.pick(plan.locations('gl'));
  const reach = theme.ctas > 1 && draw.once(3) ? undefined : cta;
  const shared = plan.locations(undefined, reach);
  return draw.pick(shared.length > 0 ? shared : plan.locations('gl'));
}

function near(plan: Plan): string | null {
  const names = plan.locations(undefined, plan.here.cta);
  return names.length > 0 ? plan.draw.pick(names) : null;
}

export const access: Act = (plan) => {
  plan.add({ k: plan.draw.once(2) ? 'R' : 'W', l: anyPlace(plan) });
};

export const proxyFence: Act = (plan) => plan.add({ k: 'fence', f: 'async' });

/** A store, mostly waited for, and sometimes all but the newest. */
export const store: Act = (plan) => {
  const { draw } = plan;
  const source = near(plan);
  if (source === null) return;
  const target = draw.pick(plan.locations('gl'));
  plan.addOfOne({ k: 'copy', r: [source], w: [target], g: true });
  if (draw.once(3)) return;
  waitForStores(plan);
};

export const waitForStores: Act = (plan) => {
  const { draw } = plan;
  if (!plan.here.ops.some(({ g }) => g === true)) return;
  plan.addOfOne({ k: 'gwait', n: draw.pick([0, 0, 0, 1]), read: draw.once(2) });
};

/** Tensor memory: loads and stores of the threads of its own CTA. */
export const tensorAccess: Act = (plan) => {
  const { draw, here } = plan;
  const [place] = plan.locations('tm', here.cta);
  if (place === undefined) return;
  const isLoad = draw.once(2);
  if (draw.once(4)) plan.add({ k: 'fence', f: 'tca' });
  plan.add({ k: isLoad ? 'tld' : 'tst', l: place });
  if (!draw.once(5)) plan.add({ k: 'twait', w0: isLoad ? 'ld' : 'st' });
  if (draw.once(3)) plan.add({ k: 'fence', f: 'tcb' });
};

export const tensorFence: Act = (plan) =>
  plan.add({ k: 'fence', f: plan.draw.once(2) ? 'tcb' : 'tca' });

/** Asynchronous copies of threads. */
export const asyncCopies: Act = (plan) => {
  const place = near(plan);
  if (place === null) return;
  plan.addOfOne({ k: 'cpa', w: [place] });
  if (!plan.draw.once(4)) plan.addOfOne({ k: 'cpwait' });
};

/** Work of tensor cores that another wait of the same thread, or its team, ends. */
export const wgmma: Act = (plan) => {
  const { draw, here, theme } = plan;
  const place = near(plan);
  if (place === null) return;
  const [accumulator] = plan.locations('reg');
  const isAlone = here.strands === 1;
  if (!isAlone && !theme.hasTeam) return;
  const own = accumulator !== undefined && plan.agent === 0 && isAlone && draw.once(2);
  if (own && draw.once(3)) plan.add({ k: draw.once(2) ? 'R' : 'W', l: accumulator });
  if (own && !draw.once(3)) plan.add({ k: 'fence', f: 'wgf' });
  if (!isAlone) plan.moveTo(plan.agent, null);
  plan.add({ k: 'wg', r: [place], w: own ? [accumulator] : [] });
  if (draw.once(6)) return;
  plan.add(isAlone ? { k: 'wgwait' } : { k: 'wgwait', team: true });
  if (own && draw.once(2)) plan.add({ k: 'R', l: accumulator });
};

/** A tensor map is rewritten, with or without what makes that visible to copies. */
export const rewriteMap: Act = (plan) => {
  const { draw } = plan;
  plan.addOfOne({ k: 'W', l: 'q' });
  if (!draw.once(4)) plan.addOfOne({ k: 'fence', f: 'tmrel' });
};

export const acquireMap: Act = (plan) => plan.addOfOne({ k: 'fence', f: 'tmacq', l: 'q' });
