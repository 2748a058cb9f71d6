// Explains misuses that an operation shows by itself: registers, cluster and named barriers.
import { OpKind, WARP } from '../../op/index.ts';
import type { Draft, Scene } from './draft.ts';
import { formatNumber, list, plural } from '../names.ts';
import { wordsOf } from './words.ts';

/** Threads of a warpgroup. */
const WARPGROUP = 128;
/** The numbers of registers that a thread can have: multiples of a unit between two bounds. */
const REGISTERS = { least: 24, most: 256, unit: 8 };

/** The operation of the last move. */
function lastOf({ schedule }: Scene) {
  const move = schedule.records.length - 1;
  const record = schedule.records[move];
  const agent = record?.agent ?? 0;
  return { position: schedule.position(move), instruction: record?.instruction ?? null, agent };
}

export function explainRegisterMisuse(scene: Scene, draft: Draft): void {
  const { position, instruction, agent } = lastOf(scene);
  const { names, system, schedule } = scene;
  const { units = 0, threads = 0, kind, isDivergent = false } = instruction ?? {};
  const who = names.agent(agent);
  const held = system.machine.registers.held(schedule.words, agent);
  const { part, lanes } = system.program.roles[agent]!;
  const word = kind === OpKind.takeRegisters ? 'inc' : 'dec';
  const { least, most, unit } = REGISTERS;
  if (units % unit !== 0 || units < least || units > most) {
    draft.message =
      `${who} wants ${units} registers per thread, and setmaxnreg takes multiples of ${unit} ` +
      `from ${least} to ${most}`;
  } else if (isDivergent && part === null && lanes <= WARP) {
    draft.message = `${who} changes its registers, and not all warps of its warpgroup do the same`;
    draft.helps.push('let all four warps of the warpgroup execute it together');
  } else if (isDivergent) {
    const rest = restOf(scene, agent).map((role) => names.agent(role));
    const others = rest.length === 0 ? 'the others' : list(rest);
    draft.message =
      `only ${who} changes its registers, with ${formatNumber(threads)} of the ${WARPGROUP} ` +
      `threads of a warpgroup: ${others} must do so together with it`;
    draft.helps.push(wordsOf(system).wholeWarpgroup);
  } else {
    const way = word === 'inc' ? 'up' : 'down';
    draft.message =
      `${who} has ${held} registers per thread when it executes ` +
      `${wordsOf(system).changeRegisters(word, units)}, and ${word} only goes ${way}`;
    draft.helps.push(`use '${word === 'inc' ? 'dec' : 'inc'}', or another number`);
  }
  draft.primary(position, `${who} changes its registers here`, agent);
}

/** The other strands of a role, which has those of one warpgroup. */
function restOf({ system }: Scene, agent: number): number[] {
  const { part, cta } = system.program.roles[agent]!;
  if (part === null) return [];
  return system.program.roles.flatMap((role, at) => {
    const isOther = at !== agent && role.cta === cta && role.part?.family === part.family;
    return isOther ? [at] : [];
  });
}

export function explainClusterMisuse(scene: Scene, draft: Draft): void {
  const { position, instruction, agent } = lastOf(scene);
  const { names, schedule } = scene;
  const who = names.agent(agent);
  const isWait = instruction?.kind === OpKind.waitCluster;
  draft.message = isWait
    ? `${who} waits for the cluster barrier without an arrival since its last wait`
    : `${who} arrives at the cluster barrier twice without a wait between`;
  draft.primary(position, `${who} ${isWait ? 'waits' : 'arrives again'} here`, agent);
  const before = schedule.records.findLastIndex((record, move) => {
    const isOwn = record.agent === agent && move < schedule.records.length - 1;
    return isOwn && record.instruction?.kind === instruction?.kind;
  });
  if (before >= 0) {
    const text = `${who} ${isWait ? 'waited' : 'arrived'} before here`;
    draft.label(schedule.position(before), text, agent);
  }
  draft.helps.push(wordsOf(scene.system).clusterPair);
}

export function explainDivergentBarrier(scene: Scene, draft: Draft): void {
  const { position, instruction, agent } = lastOf(scene);
  const { names, symptom } = scene;
  const who = names.agent(agent);
  const lanes = plural((instruction?.lanes ?? 0) % 32, 'lane');
  draft.message =
    `${who} comes to aligned ${names.namedBarrier(symptom.at)} with ${lanes} of a warp, ` +
    'and it needs all 32';
  draft.primary(position, `${who} comes here`, agent);
  draft.helps.push(
    'let all lanes of the warp come: move it out of the branch, or leave out `aligned` ' +
      '(barrier.cta.sync)',
  );
}

export function explainMisaligned(scene: Scene, draft: Draft): void {
  const { position, instruction, agent } = lastOf(scene);
  const { names, symptom } = scene;
  const threads = formatNumber(instruction?.threads ?? 0);
  const barrier = names.namedBarrier(symptom.at);
  draft.message = `${barrier} counts ${threads} threads, which is no multiple of 32`;
  draft.primary(position, `${names.agent(agent)} comes here`, agent);
  draft.helps.push('let whole warps come, and count 32 threads for each of them');
}
