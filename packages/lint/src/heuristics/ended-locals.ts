// Locals of no model and no disposable type: a function that creates one and ends it on one path
// owns it on all.
import { makeContract } from '../contract/contract.ts';
import type { CallTarget, ValueShape } from '../flow/world.ts';
import { possiblyReleasingMethods, releasingMethods, standsOn } from '../obligations/vocabulary.ts';
import { calledName } from '../syntax/called-name.ts';
import { walk } from '../syntax/children.ts';
import type { CallExpression, Expression } from '../syntax/node.ts';
import type { Variable } from '../syntax/variable.ts';

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
  const release = releasingMethods([...bound.called]);
  return release.length === 0 || isPartOfEnded(call) || standsOnEnded(bound) ? [] : release;
}

/** `peer.createChannel()`, where the function ends the peer, too: the channel ends with it. */
function isPartOfEnded({ callee }: CallExpression): boolean {
  const maker = callee.kind === 'member' ? callee.object : undefined;
  if (maker?.kind !== 'name' || maker.variable === undefined) return false;
  return releasingMethods([...maker.variable.called]).length > 0;
}

/** `client.connect(transport)`, where the function ends the transport, too: the client, with it. */
function standsOnEnded(bound: Variable): boolean {
  const { body } = bound.home ?? {};
  let isFound = false;
  if (body === undefined || ![...bound.called].some(standsOn)) return false;
  walk(body, (node) => {
    if (node.kind !== 'call' || node.callee.kind !== 'member') return;
    const { object, name = '' } = node.callee;
    if (object.kind !== 'name' || object.variable !== bound || !standsOn(name)) return;
    isFound ||= node.args.some(isEnded);
  });
  return isFound;
}

function isEnded(node: Expression): boolean {
  const called = node.kind === 'name' ? node.variable?.called : undefined;
  return called !== undefined && releasingMethods([...called]).length > 0;
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
