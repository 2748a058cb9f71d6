// Explains what is ordered and yet not known: an access that the order alone does not make safe.
import { isRelaxed, isWide } from '../../op/index.ts';
import type { Draft, Scene } from './draft.ts';
import { accessesOf, accessText, markAccesses, priorText, writtenName } from './memory-access.ts';
import type { Accesses } from './memory-access.ts';
import { markMeeting, meetingBetween, orderAt } from './memory-path.ts';
import { lonelyStrand } from './unjoined.ts';
import { wordsOf } from './words.ts';

export function explainProxyFence(scene: Scene, draft: Draft): void {
  const accesses = accessesOf(scene);
  const { first, second } = accesses;
  const write = first === null ? 'a write' : `the write of ${first.who}`;
  draft.message =
    `${accessText(second)} through the async proxy, and ${write} before it has no proxy fence ` +
    'on the way';
  markAccesses(scene, draft, accesses);
  const writer = first === null ? 'the threads that wrote' : writtenName(scene, first.role);
  const until = afterWrite(scene, accesses);
  const { proxyFence } = wordsOf(scene.system);
  draft.helps.push(`let ${writer} execute ${proxyFence} after the write, before ${until}`);
}

/** What the fence has to come before, seen from the writer. */
function afterWrite({ system }: Scene, { first, second }: Accesses): string {
  if (first === null || first.role !== second.role) return 'the signal';
  const { part } = system.program.roles[second.role]!;
  if (part === null || part.classes < 2) return 'the copy or the work';
  const isBuilt = system.program.kernel.dialect === 'ptx';
  return isBuilt ? 'its lanes meet (__syncwarp)' : 'the strands are joined';
}

export function explainReuse(scene: Scene, draft: Draft): void {
  const accesses = accessesOf(scene);
  const { first, second } = accesses;
  const { symptom, schedule } = scene;
  const reader = first === null ? 'the read' : `${first.who}'s read`;
  const other = symptom.memory!.other;
  const fenced = other < 0 ? '' : bufferOf(scene, other, second.buffer);
  const unlike = other < 0 ? '' : `, unlike the one before the reuse of ${fenced}`;
  draft.message =
    `${second.who} overwrites ${second.buffer} through the async proxy, and ${reader} of it is ` +
    `released without a proxy fence${unlike}`;
  markAccesses(scene, draft, accesses);
  if (other >= 0) draft.label(schedule.position(other), `the reuse of ${fenced} here is fenced`);
  const { proxyFence } = wordsOf(scene.system);
  draft.helps.push(`execute ${proxyFence} after the read and before its release`);
}

/** What the copy of a move writes. */
function bufferOf({ schedule, system, names }: Scene, move: number, otherwise: string): string {
  const { flights } = system.machine.flights;
  const issued = schedule.records[move]?.instruction?.flights ?? [];
  const piece = issued.flatMap((id) => flights[id]!.writes)[0];
  return piece === undefined ? otherwise : names.buffer(piece);
}

export function explainScope(scene: Scene, draft: Draft): void {
  const accesses = accessesOf(scene);
  const { first, second } = accesses;
  const verb = first?.writes === false ? 'overwrites' : second.writes ? 'writes over' : 'reads';
  const prior = priorText(accesses, 'which another CTA used');
  const meeting = first === null ? null : meetingBetween(scene, first, second);
  const isNarrow = (move: number): boolean => move >= 0 && !isWide(orderAt(scene, move));
  const [arrival, wait] = [isNarrow(meeting?.signal ?? -1), isNarrow(meeting?.wait ?? -1)];
  const isBoth = arrival === wait;
  draft.message =
    `${second.who} ${verb} ${second.buffer}, ${prior}, after ` +
    `${isBoth ? 'a signal' : arrival ? 'an arrival' : 'a wait'} of CTA scope` +
    acrossCtas(scene, accesses);
  markAccesses(scene, draft, accesses);
  const which = isBoth ? 'the arrival and the wait' : arrival ? 'the arrival' : 'the wait';
  draft.helps.push(wordsOf(scene.system).clusterScope(which));
}

function acrossCtas({ system }: Scene, { first, second }: Accesses): string {
  const { roles } = system.program;
  const [from, into] = [roles[first?.role ?? second.role]!.cta, roles[second.role]!.cta];
  return from === into ? '' : ` from CTA ${from} to CTA ${into}`;
}

export function explainRelaxed(scene: Scene, draft: Draft): void {
  const accesses = accessesOf(scene);
  const { first, second } = accesses;
  const meeting = first === null ? null : meetingBetween(scene, first, second);
  const isOfWait = meeting !== null && isRelaxed(orderAt(scene, meeting.wait));
  const verb = first?.writes === false ? 'overwrites' : second.writes ? 'writes over' : 'reads';
  const prior = first === null ? '' : ` ${priorText(accesses, '')}`;
  draft.message =
    `${second.who} ${verb} ${second.buffer},${prior}, after a relaxed ` +
    `${isOfWait ? 'wait' : 'arrival'} that carries no memory`;
  markAccesses(scene, draft, accesses);
  const { strongArrival, strongWait, releaseFence } = wordsOf(scene.system);
  draft.helps.push(
    isOfWait ? strongWait : `${strongArrival}, or execute ${releaseFence} before it`,
  );
}

export function explainInit(scene: Scene, draft: Draft): void {
  const { symptom, names, schedule } = scene;
  const { first, second } = symptom.memory!;
  const last = Math.min(second < 0 ? Infinity : second, schedule.records.length - 1);
  const { agent: role } = schedule.records[last]!;
  const [who, barrier] = [names.agent(role), names.barrier(symptom.at)];
  const by = first < 0 ? -1 : schedule.records[first]!.agent;
  const whose = by < 0 ? 'its initialization' : `the initialization by ${names.agent(by)}`;
  // I04: a warning is about a copy, whose thread the initialization is visible to.
  const isOfCopy = symptom.isMild === true;
  draft.message = isOfCopy
    ? `${who}'s copy completes on ${barrier}, and ${whose} has no fence, ` +
      'which PTX before 9.3 demands for copies'
    : `${who} uses ${barrier}, and ${whose} is before it, but not visible to it`;
  draft.primary(schedule.position(last), `${who} uses ${barrier} here`, role);
  if (by >= 0) {
    draft.label(schedule.position(first), `${names.agent(by)} initializes it here`, by);
    const [from, to] = [first, last].map((move, index) => {
      return { move, role: index === 0 ? by : role, who: '', buffer: '', writes: false };
    });
    const meeting = meetingBetween(scene, from!, to!);
    if (meeting !== null) markMeeting(scene, draft, meeting);
  }
  const { initFence, strongArrival } = wordsOf(scene.system);
  const help = `execute ${initFence} after the initialization`;
  draft.helps.push(isOfCopy ? help : `${help}, or ${strongArrival} after it`);
}

export function explainGridWait(scene: Scene, draft: Draft): void {
  const accesses = accessesOf(scene);
  const { first, second } = accesses;
  const use =
    first === null
      ? 'the grid before may still use it'
      : `${first.who} of the grid before may still ${first.writes ? 'write' : 'read'} it`;
  const words = wordsOf(scene.system);
  draft.message = `${accessText(second)} without ${words.gridWait} before it, and ${use}`;
  markAccesses(scene, draft, accesses);
  const role = writtenName(scene, second.role);
  draft.helps.push(words.waitForGrid(role));
}

export function explainLanes(scene: Scene, draft: Draft): void {
  const accesses = accessesOf(scene);
  const { second } = accesses;
  const { names } = scene;
  const family = writtenName(scene, second.role);
  const lonely = lonelyStrand(scene, second.role, -1);
  const strand = names.agent(second.role);
  const other = lonely === null ? `another strand of ${family}` : names.agent(lonely.agent);
  draft.message =
    `${other} waits for ${strand}, and they are not joined: ${accessText(second)}, ` +
    priorText(accesses, 'which another role used');
  markAccesses(scene, draft, accesses);
  if (lonely !== null) {
    draft.label(lonely.position, `${other} waits here, for itself alone`, lonely.agent);
  }
  draft.helps.push(wordsOf(scene.system).joinStrands(family, 'after the wait'));
}
