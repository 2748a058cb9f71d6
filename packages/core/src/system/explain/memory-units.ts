// Explains what units need of memory: tensor maps, fences of tcgen05 and of wgmma, groups.
import type { Draft, Scene } from './draft.ts';
import { accessesOf, accessText, markAccesses, writtenName } from './memory-access.ts';
import { wordsOf } from './words.ts';

export function explainTensorMap(scene: Scene, draft: Draft): void {
  const accesses = accessesOf(scene);
  const { first, second } = accesses;
  const change = first === null ? 'a change' : `${scene.names.agent(first.role)}'s change`;
  draft.message =
    `${second.who} uses tensor map ${second.buffer}, and ${change} of it was not released and ` +
    'acquired through the tensormap proxy';
  markAccesses(scene, draft, accesses);
  draft.helps.push(wordsOf(scene.system).mapFences);
}

export function explainTensorFence(scene: Scene, draft: Draft): void {
  const accesses = accessesOf(scene);
  const { first, second } = accesses;
  const prior = first === null ? '' : ` after ${first.who} ${first.writes ? 'wrote' : 'read'} it`;
  const access = accessText(second);
  draft.message = `${access} in tensor memory${prior}, without the fences of tcgen05 between`;
  markAccesses(scene, draft, accesses);
  draft.helps.push(wordsOf(scene.system).tensorFences);
}

export function explainRegisterFence(scene: Scene, draft: Draft): void {
  const accesses = accessesOf(scene);
  const { second } = accesses;
  const role = scene.names.agent(second.role);
  const { who, buffer } = second;
  const { wgmmaFence } = wordsOf(scene.system);
  draft.message = `${who} uses ${buffer}, which ${role} touched after its last ${wgmmaFence}`;
  markAccesses(scene, draft, accesses);
  draft.helps.push(`let ${writtenName(scene, second.role)} execute ${wgmmaFence} between them`);
}

export function explainGroups(scene: Scene, draft: Draft): void {
  const { names, schedule, symptom, system } = scene;
  const last = schedule.records.length - 1;
  const agent = symptom.agent >= 0 ? symptom.agent : schedule.records[last]!.agent;
  // What stores read has a unit of its own, which no program names.
  const unit = (names.agents[system.roles + symptom.at]?.name ?? 'copy').replace(/\.read$/, '');
  const commit = schedule.records.findLastIndex((record) => {
    if (record.agent === agent || record.instruction === null) return false;
    return record.instruction.flights.some(
      (id) => system.machine.flights.flights[id]!.unit === symptom.at,
    );
  });
  const who = names.agent(agent);
  const by =
    commit < 0 ? 'another thread of its role' : names.agent(schedule.records[commit]!.agent);
  draft.message = `${who} waits for ${unit} groups that ${by} committed, and has none of its own`;
  draft.primary(schedule.position(last), `${who} waits here`, agent);
  if (commit >= 0) {
    draft.label(
      schedule.position(commit),
      `${by} issues the work here`,
      schedule.records[commit]!.agent,
    );
  }
  draft.notes.push('groups belong to the thread that commits them: this wait passes at once');
  const family = writtenName(scene, agent);
  draft.helps.push(`let ${by} wait, and ${wordsOf(system).joinStrands(family, 'after it')}`);
}
