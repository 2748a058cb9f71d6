// Tiny random programs that end: accesses, fences and signals, dealt out to a few agents.
import type { LitmusOp, LitmusProgram } from '../litmus-program.ts';
import {
  access,
  acquireMap,
  asyncCopies,
  proxyFence,
  rewriteMap,
  store,
  tensorAccess,
  tensorFence,
  waitForStores,
  wgmma,
  type Act,
} from './accesses.ts';
import { Draw } from './draw.ts';
import {
  copyAndSignal,
  jump,
  load,
  multiply,
  signal,
  signalAgain,
  signalForAll,
} from './hand-overs.ts';
import { arriveInCta, changeStrand, join, meetInCluster, meetInCta } from './meetings.ts';
import { Plan, type Theme } from './plan.ts';

const PLAIN: Theme = {
  agents: 2,
  ctas: 1,
  strands: 0,
  hasInits: false,
  hasMaps: false,
  hasRanges: false,
  hasTeam: false,
  hasEnds: false,
  hasBegins: false,
  hasGrids: false,
  hasRegisters: false,
};

/** What programs are about, and how often. */
const THEMES: readonly ((draw: Draw) => Partial<Theme>)[] = [
  (draw) => ({ agents: 2 + draw.below(2) }),
  (draw) => ({ agents: 2 + draw.below(2), ctas: 2 }),
  (draw) => ({ agents: 1 + draw.below(2), strands: 1 }),
  () => ({ agents: 2, strands: 1 }),
  () => ({ agents: 2, strands: 1, hasTeam: true }),
  () => ({ agents: 2, strands: 1, ctas: 2 }),
  (draw) => ({ agents: 2, ctas: 1 + draw.below(2), hasInits: true }),
  (draw) => ({ agents: 1 + draw.below(2), hasMaps: true }),
  (draw) => ({ agents: 1 + draw.below(2), hasRanges: true }),
  (draw) => ({ agents: 2 + draw.below(2), ctas: 2, hasEnds: true, hasBegins: draw.once(3) }),
  (draw) => ({ agents: 2 + draw.below(2), hasGrids: true }),
  (draw) => ({ agents: 2 + draw.below(2), hasRegisters: true }),
];

/** The kinds of acts of a theme, each as often as it is listed. */
function actsOf(theme: Theme): Act[] {
  const { hasMaps, hasRegisters, hasGrids, hasTeam, ctas, strands, agents } = theme;
  if (hasGrids) {
    const rare = [proxyFence, store, signal, signal, load];
    return [access, access, access, access, access, jump, jump, jump, jump, ...rare];
  }
  const acts = [access, access, access, access, proxyFence, store, signal, signal, signal, jump];
  acts.push(load, load, signalAgain, asyncCopies, waitForStores, copyAndSignal);
  if (!hasRegisters) acts.push(multiply, tensorAccess, tensorFence);
  if (!hasRegisters && agents > 1) acts.push(meetInCta, arriveInCta, signalForAll, signalForAll);
  if (ctas > 1) acts.push(meetInCluster, meetInCluster);
  if (strands > 0) acts.push(join, join, join, changeStrand, changeStrand);
  if (hasTeam) acts.push(wgmma, wgmma, wgmma);
  else if (strands === 0) acts.push(wgmma);
  if (hasMaps) acts.push(rewriteMap, rewriteMap, acquireMap, acquireMap, acquireMap, load, load);
  return acts;
}

type Memory = NonNullable<LitmusProgram['mem']>;

function memoryOf(draw: Draw, theme: Theme): Record<string, Memory[string]> {
  const { ctas, hasRanges, hasMaps, hasGrids } = theme;
  const memory: Record<string, Memory[string]> = { g: { space: 'gl' } };
  if (hasRanges) {
    memory.s = { at: 0, bytes: 128 };
    memory.t = { at: draw.pick([0, 64, 128]), bytes: 64 };
  } else {
    memory.s = {};
    memory.t = ctas > 1 ? { cta: 1 } : {};
  }
  if (hasMaps) memory.q = { space: 'map' };
  if (hasGrids) return memory;
  memory.r = { space: 'reg' };
  memory.d = { space: 'tm' };
  if (ctas > 1) memory.e = { space: 'tm', cta: 1 };
  return memory;
}

/** The program of a seed. */
export function randomProgram(seed: number): LitmusProgram {
  const draw = new Draw(seed);
  const theme = { ...PLAIN, ...draw.pick(THEMES)(draw) };
  const plan = new Plan(draw, theme, memoryOf(draw, theme));
  const acts = actsOf(theme);
  const steps = (theme.hasGrids ? 6 : 3) + draw.below(6);
  for (let step = 0; step < steps; step++) draw.pick(acts)(plan);
  if (theme.hasInits) addInits(plan);
  if (theme.hasGrids) addGrids(plan);
  if (theme.hasRegisters) addRegisters(plan);
  if (theme.hasBegins && !draw.once(4)) addMeeting(plan, true);
  if (theme.hasEnds && !draw.once(3)) addMeeting(plan, false);
  return plan.program(`random ${seed}`);
}

/** The first agent initializes some barriers, mostly before all meet. */
function addInits(plan: Plan): void {
  const { draw, agents, theme } = plan;
  const [name] = Object.keys(plan.barriers);
  if (name === undefined) return;
  const { n } = plan.barriers[name]!;
  const own = agents.findIndex(({ cta }) => cta === plan.barriers[name]!.cta);
  const inits: LitmusOp[] = [{ k: 'init', b: name, n }];
  const isMeeting = !draw.once(5);
  const isRelaxed = draw.once(2);
  if (theme.ctas > 1 && isMeeting) {
    if (isRelaxed && draw.once(2)) inits.push({ k: 'fence', f: 'init' });
    const arrive: LitmusOp = isRelaxed ? { k: 'clarr', sem: 'rlx' } : { k: 'clarr' };
    for (const { ops } of agents) ops.unshift(arrive, { k: 'clwait' });
  } else if (isMeeting && agents.length > 1) {
    for (const { ops } of agents) ops.unshift({ k: 'named', n: agents.length, bid: 15 });
  }
  agents[own]!.ops.unshift(...inits);
}

/** The second grid may start before the end of the first one, and waits for it or not. */
function addGrids({ agents, draw }: Plan): void {
  for (const { grid, ops } of agents) {
    if (grid === 0 && !draw.once(3)) ops.splice(draw.below(ops.length + 1), 0, { k: 'trigger' });
    const at = draw.once(2) ? 0 : draw.below(ops.length + 1);
    if (grid === 1 && !draw.once(4)) ops.splice(at, 0, { k: 'gridwait' });
  }
}

/** Warpgroups change their registers once: the first one gives some, and others take some. */
function addRegisters({ agents, draw }: Plan): void {
  for (const [agent, { ops }] of agents.entries()) {
    if (agent > 0 && draw.once(2)) continue;
    const isMore = draw.once(8) ? agent === 0 : agent > 0;
    const n = isMore ? draw.pick([136, 168, 232]) : draw.pick([24, 24, 88]);
    ops.splice(draw.below(ops.length + 1), 0, { k: isMore ? 'inc' : 'dec', n });
  }
}

/** Nothing begins before all have begun, or nothing ends before all have come to their end. */
function addMeeting({ agents }: Plan, isFirst: boolean): void {
  const meeting: LitmusOp[] = [{ k: 'clarr' }, { k: 'clwait' }];
  for (const { ops } of agents) ops.splice(isFirst ? 0 : ops.length, 0, ...meeting);
}
