// Locals of no model and no disposable type: a function that creates one and ends it on one path
// owns it on all.
import { makeContract } from '../contract/contract.ts';
import type { CallTarget, ValueShape } from '../flow/world.ts';
import { possiblyReleasingMethods, releasingMethods } from '../obligations/vocabulary.ts';
import { calledName } from '../syntax/called-name.ts';
import type { CallExpression } from '../syntax/node.ts';

const CREATES = /^(create|open|connect|watch|launch|new)(?![a-z])/;

/** A text with a local that may be created and ended. */
const CREATED =
  /=\s*(?:await\s+)?(?:new\s|[\w$.()]*\b(?:create|open|connect|watch|launch)[\w$]*\s*\()/;
const ENDED = /\.\s*(?:close|end|destroy|terminate|kill|quit|disconnect|shutdown|dispose)\w*\s*\(/;

/** Whether a text may have such a local. */
export function mayEndLocals(text: string): boolean {
  return ENDED.test(text) && CREATED.test(text);
}

/** The methods that a function calls on a local that it has created, and that end it. */
export function endsOfLocal(call: CallExpression): string[] {
  const { bound, isNew } = call;
  if (bound?.home === undefined || bound.form === 'parameter') return [];
  if (!isNew && !CREATES.test(calledName(call) ?? '')) return [];
  if (isPartOfEnded(call)) return [];
  return releasingMethods([...bound.called]);
}

/** `peer.createChannel()`, where the function ends the peer, too: the channel ends with it. */
function isPartOfEnded({ callee }: CallExpression): boolean {
  const maker = callee.kind === 'member' ? callee.object : undefined;
  if (maker?.kind !== 'name' || maker.variable === undefined) return false;
  return releasingMethods([...maker.variable.called]).length > 0;
}

/** The handle in such a local, which is reported only if a path without its end has no other. */
export function endedLocal(call: CallExpression, target: CallTarget): ValueShape {
  const release = endsOfLocal(call);
  if (release.length === 0) return { k: 'nothing' };
  const typeName = target.name ?? 'handle';
  const contract = makeContract({
    id: typeName,
    typeName,
    release,
    alsoReleasedBy: new Set(possiblyReleasingMethods([...(call.bound?.called ?? [])])),
    idempotent: true,
    usableAfter: true,
    isStructural: true,
  });
  const handle: ValueShape = { k: 'handle', contract, maybeNull: false, needsProof: true };
  const isPromise = target.isPromise || (call.isAwaited && !call.isNew);
  return isPromise ? { k: 'promise', of: handle } : handle;
}
