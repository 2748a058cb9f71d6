// Calls of the platform that fail on what programs meet every day: bad input, a full disk, a file
// that is gone. They are as sure to throw as a promise is to be rejected.
import { textOf } from '../models/origin.ts';
import type { Call } from '../syntax/node.ts';
import type { CallTarget } from './world.ts';

const FILES = /^((node:)?fs|fs-extra|graceful-fs)$/;
const FILES_BY_NAME = /^(fs|fse|nodeFs|fsExtra)$/;
/** These answer instead, or are what a program does last. */
const NEVER_FAILS = /^(exists|close)Sync$/;

export function isKnownToThrow(call: Call, { name = '', module, fn }: CallTarget): boolean {
  if (fn?.body !== undefined || call.isNew) return false;
  // What an unknown function is called says what it does: `throwNotFound(id)`.
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
function isOwnText({ args: [text] }: Call): boolean {
  return text?.kind === 'call' && textOf(text.callee) === 'JSON.stringify';
}
