// Locks of the project's own, or of a package that is not known: two names make a pair.
import type { ResourceModel } from '../model.ts';

const RELEASE = ['release', 'unlock'];
/** What is thrown away is as good as given back. */
const DISCARD = ['destroy', 'discard', 'remove', 'dispose', 'evict', 'invalidate'];

/** What is called to get in, and what to get out again. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  acquire: [...RELEASE, ...DISCARD, 'free', 'leave'],
  tryAcquire: RELEASE,
  lock: RELEASE,
  tryLock: RELEASE,
  wait: [...RELEASE, 'signal'],
  acquireAsync: RELEASE,
  lockAsync: [...RELEASE, 'unlockAsync'],
  enter: ['leave', 'exit'],
  acquireLock: ['releaseLock', ...RELEASE],
  tryAcquireLock: ['releaseLock', ...RELEASE],
  getLock: ['releaseLock', ...RELEASE],
  obtainLock: ['releaseLock', ...RELEASE],
  takeLock: ['releaseLock', ...RELEASE],
  acquireSlot: ['releaseSlot', ...RELEASE],
  acquirePermit: ['releasePermit', ...RELEASE],
  acquireToken: ['releaseToken', ...RELEASE],
  acquireRead: ['releaseRead', ...RELEASE],
  acquireWrite: ['releaseWrite', ...RELEASE],
  acquireReadLock: ['releaseReadLock', ...RELEASE],
  acquireWriteLock: ['releaseWriteLock', ...RELEASE],
  readLock: ['readUnlock', ...RELEASE],
  writeLock: ['writeUnlock', ...RELEASE],
  acquireMutex: ['releaseMutex', ...RELEASE],
  acquireConnection: ['releaseConnection', 'destroyConnection', ...RELEASE],
  acquireClient: ['releaseClient', ...RELEASE],
  acquireWorker: ['releaseWorker', ...RELEASE],
};

/** What is called so is a lock, wherever it is let go of. */
const LOCKS = /([mM]utex|(?<![bcBC])[lL]ock|[sS]ema(phore)?)\)?!?\??\.\w+\(/;

function lockOf([call, release]: readonly [string, readonly string[]]): ResourceModel {
  return {
    id: `mutex.own.${call}`,
    modules: [],
    types: ['Lock'],
    acquire: [
      { call, receiver: /./, async: true, nullable: true, whenReleased: true, evenOwn: true },
    ],
    release: [],
    mustCall: true,
    idempotent: true,
    usableAfter: true,
    receiverRelease: release,
    ...(/lock|mutex/i.test(call) && { guards: true }),
    heldOn: LOCKS,
    via: release.map((name) => ({ call: name, argument: 0, receiver: /./ })),
    doubleRelease: 'lets in somebody else',
    useAfterRelease: 'nothing is known of it',
    leak: 'nobody else gets in any more',
    evidence: 'unverified',
  };
}

export const mutexOwn: readonly ResourceModel[] = Object.entries(PAIRS).map(lockOf);
