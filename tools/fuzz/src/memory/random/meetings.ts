// Random meetings: named barriers, those of the cluster, and joins of the strands of a role.
import type { LitmusOp } from '../litmus-program.ts';
import type { Act } from './accesses.ts';
import type { Plan } from './plan.ts';

/** All agents of a CTA meet, with all their strands. */
export const meetInCta: Act = (plan) => {
  const { here, agents } = plan;
  const all = agents.filter(({ cta, grid }) => cta === here.cta && grid === here.grid);
  const strands = all.reduce((sum, agent) => sum + agent.strands, 0);
  if (strands < 2) return;
  const bid = plan.newId;
  for (const { ops } of all) ops.push({ k: 'named', n: strands, bid });
  plan.moveTo(agents.indexOf(plan.draw.pick(all)));
};

/** One warp arrives at a named barrier, and another one waits. */
export const arriveInCta: Act = (plan) => {
  const { here, agents, draw } = plan;
  const others = [...agents.keys()].filter((one) => {
    const { cta, grid } = agents[one]!;
    return one !== plan.agent && cta === here.cta && grid === here.grid;
  });
  if (others.length === 0) return;
  // The same numbers again, sometimes.
  const bid = draw.once(4) ? 0 : plan.newId;
  plan.addOfOne({ k: 'narr', n: 2, bid });
  plan.moveTo(draw.pick(others));
  plan.addOfOne({ k: 'named', n: 2, bid });
};

/** The strands of a role meet, and some of them go on. */
export const join: Act = (plan) => {
  const { here, draw, agent } = plan;
  if (here.strands === 1) return;
  here.ops.push(draw.once(2) ? { k: 'sw' } : { k: 'named', n: 2, bid: plan.newId });
  plan.moveTo(agent);
};

/** Another strand goes on without a join. */
export const changeStrand: Act = (plan) => {
  if (plan.draw.once(3)) plan.moveTo(plan.agent);
};

/** The cluster meets, in two halves; something may happen between them. */
export const meetInCluster: Act = (plan) => {
  const { agents, draw, theme } = plan;
  if (theme.hasGrids) return;
  const isRelaxed = draw.once(3);
  const arrive: LitmusOp = isRelaxed ? { k: 'clarr', sem: 'rlx' } : { k: 'clarr' };
  if (isRelaxed && theme.hasInits) plan.addOfOne({ k: 'fence', f: 'init' });
  else if (isRelaxed && draw.once(2)) plan.add({ k: 'fence', f: 'rel', sc: 'cluster' });
  for (const { ops } of agents) ops.push(arrive);
  if (draw.once(3)) between(plan);
  for (const { ops } of agents)
    ops.push(draw.once(8) ? { k: 'clwait', sem: 'rlx' } : { k: 'clwait' });
  plan.moveTo(draw.below(agents.length));
};

/** What an agent does between the halves. */
function between(plan: Plan): void {
  const places = plan.locations(undefined, plan.here.cta);
  if (places.length === 0) return;
  plan.add({ k: plan.draw.once(2) ? 'R' : 'W', l: plan.draw.pick(places) });
}
