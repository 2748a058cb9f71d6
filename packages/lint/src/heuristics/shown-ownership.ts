// Obligations that nothing states: only code that shows that it owns a handle is held to them.
import type { Contract } from '../contract/contract.ts';
import type { FlowFinding } from '../flow/report.ts';
import { creates } from '../obligations/vocabulary.ts';
import { calledName } from '../syntax/called-name.ts';
import { functionAround } from './runs-once.ts';
import { callAt, subscribes } from './subscriptions.ts';

/**
 * Whether the code shows what a finding takes for granted. No tag, model or library states what an
 * object owes whose class of the project has an end or holds a handle: the code that loses it has
 * to release it on another path, or to have made it and to forget it. A misuse shows where release
 * and use are in one function, unless a tag, a brand or `using` states who owns.
 */
export function isShown(finding: FlowFinding): boolean {
  const { kind, instance, isReleasedElsewhere } = finding;
  const { contract } = instance ?? {};
  if (contract === undefined || isStated(contract) || kind === 'escaping-handle') return true;
  if (kind !== 'leak') return isCertain(finding) && isInSight(finding);
  const isSuggested = contract.isInferred || (contract.isStructural && contract.isOfProject);
  return !isSuggested || isReleasedElsewhere === true || isOwnLoss(finding);
}

/** Whether the obligation is written down for the type itself. */
function isStated({ isModel, isInferred, isStructural }: Contract): boolean {
  return !isModel && !isInferred && !isStructural;
}

/** Of what is a handle only by its name, or by an end of it, what the end does is unknown. */
function isCertain({ instance, reason }: FlowFinding): boolean {
  const { guards, mustCall } = instance!.contract;
  if (guards || mustCall || reason === 'moved') return true;
  return instance?.isGuess !== true && instance?.needsProof !== true;
}

/** Whether the release is in the function of the use, or in one around it. */
function isInSight({ file, start, other }: FlowFinding): boolean {
  if (other === undefined || other.file !== file) return false;
  const owner = functionAround(file, other.start);
  let within = functionAround(file, start);
  while (within !== undefined && within !== owner) within = within.outer;
  return within === owner;
}

/** A field that the class ends elsewhere, a listener, or what a function makes and forgets. */
function isOwnLoss({ instance, reason, cause }: FlowFinding): boolean {
  const { site, status, contract } = instance!;
  const call = callAt(site.file, site.start, site.end);
  if (call?.callee.kind === 'member' && subscribes(call)) return true;
  if (status === 'field') return !contract.isInferred || reason !== 'never-released-field';
  if (call === undefined) return false;
  return cause === undefined && (call.isNew || creates(calledName(call) ?? ''));
}
