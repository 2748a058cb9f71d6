// Predicates: members of a handle that ask whether it is still there. They may be asked of a
// released handle, too, and the tracked status is their answer.
import type { HandleStatus, Instance } from './state.ts';

const GONE_WORD =
  'released|closed|disposed|destroyed|finished|completed|settled|ended|freed|' +
  'disconnected|terminated|stopped|cancell?ed|killed|exited|deleted|detached';
const HERE_WORD =
  'armed|open|opened|alive|active|held|locked|connected|running|listening|attached|recording';

const GONE = new RegExp(`^(is|was|has)?_?(${GONE_WORD})$`, 'i');
const HERE = new RegExp(`^(is|was)?_?(${HERE_WORD})$`, 'i');

/** Names of predicates; as a method, only names that are not verbs: `open()` opens something. */
export const PREDICATE_NAME =
  /^(is|was)_?[A-Za-z]|^(armed|released|closed|disposed|destroyed|finished|connected|killed)$/;

/** Names that ask for the state of a handle, whatever the answer. */
const STATE = new RegExp(
  '^((ready|connection|signaling|ice\\w+)?State|status|exitCode|signalCode|pid|closing|aborted|' +
    'errored|writable(Ended|Finished|Aborted)|readable(Ended|Aborted|DidRead))$',
  'i',
);

/** The statuses of handles that are open; a test of a parameter's state assumes it is open. */
const ALIVE: ReadonlySet<HandleStatus> = new Set(['live', 'scoped', 'field', 'param']);

/** Whether a name is a predicate on the state of a handle. */
export function isPredicate(name: string): boolean {
  return GONE.test(name) || HERE.test(name);
}

/** Whether a member only asks for the state of a handle, which a released one can answer. */
export function readsState(name: string): boolean {
  return isPredicate(name) || STATE.test(name);
}

/** `h.released`, `h.isOpen`: the value of a handle's predicate, by its tracked status. */
export function predicate(instance: Instance, name: string): boolean | undefined {
  const gone = GONE.test(name);
  if (!gone && !HERE.test(name)) return undefined;
  // `active` of a type that nothing describes may mean something else.
  if (!gone && instance.contract.isStructural && !/^(is|was)/.test(name)) return undefined;
  if (ALIVE.has(instance.status)) return !gone;
  return instance.status === 'released' || instance.status === 'idle' ? gone : undefined;
}
