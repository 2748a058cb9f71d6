// Platform calls that fail on common conditions: bad input, a full disk, a missing file. They count
// as likely to throw as a promise is to be rejected.
import { textOf } from '../models/origin.ts';
import type { CallExpression } from '../syntax/node.ts';
import type { CallTarget } from './world.ts';

const FILES = /^((node:)?fs|fs-extra|graceful-fs)$/;
const FILES_BY_NAME = /^(fs|fse|nodeFs|fsExtra)$/;
/** Calls that return a result instead of throwing. */
const NEVER_FAILS = /^(exists|close)Sync$/;

export function isKnownToThrow(
  call: CallExpression,
  { name = '', module, fn }: CallTarget,
): boolean {
  if (fn?.body !== undefined || call.isNew) return false;
  // The name of an unknown function implies its effect: `throwNotFound(id)`.
  if (fn === undefined && /^throw[A-Z]/.test(name)) return true;
  const { callee } = call;
  const receiver = callee.kind === 'member' ? textOf(callee.object) : '';
  if (receiver === 'JSON' && name === 'parse') return !isOwnText(call);
  if (/^exec(File)?Sync$/.test(name)) return true;
  if (!name.endsWith('Sync') || NEVER_FAILS.test(name)) return false;
  if (module !== undefined) return FILES.test(module);
  const isBare = callee.kind === 'name' && callee.variable === undefined;
  return isBare || FILES_BY_NAME.test(receiver);
}

/** `JSON.parse(JSON.stringify(value))`: a copy. */
function isOwnText({ args: [text] }: CallExpression): boolean {
  return text?.kind === 'call' && textOf(text.callee) === 'JSON.stringify';
}
