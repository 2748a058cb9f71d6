// Locks of the project or of unknown packages, recognized by pairs of names.
import type { ResourceModel } from '../model.ts';

const RELEASE = ['release', 'unlock'];
/** Discarding a lock object releases it. */
const DISCARD = ['destroy', 'discard', 'remove', 'dispose', 'evict', 'invalidate'];

/** The names of acquiring functions, and of the functions that release. */
const PAIRS: Readonly<Record<string, readonly string[]>> = {
  acquire: [...RELEASE, ...DISCARD, 'free', 'leave'],
  tryAcquire: RELEASE,
  lock: RELEASE,
  tryLock: RELEASE,
  wait: [...RELEASE, 'signal'],
  acquireAsync: RELEASE,
  lockAsync: [...RELEASE, 'unlockAsync'],
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

/** Names of locks, wherever they are released. */
const LOCKS = /([mM]utex|(?<![bcBC])[lL]ock|[sS]ema(phore)?)\)?!?\??\.\w+\(/;

function lockOf([call, release]: readonly [string, readonly string[]]): ResourceModel {
  return {
    id: `mutex.own.${call}`,
    modules: [],
    types: ['Lock'],
    acquire: [
      { call, receiver: /./, async: true, nullable: true, whenReleased: true, evenInProject: true },
    ],
    release: [],
    mustCall: true,
    idempotent: true,
    usableAfter: true,
    receiverRelease: release,
    ...(/lock|mutex/i.test(call) && { guards: true }),
    handedOff: LOCKS,
    via: release.map((name) => ({ call: name, argument: 0, receiver: /./ })),
    doubleRelease: 'admits a second holder',
    useAfterRelease: 'nothing is known of it',
    leak: 'blocks all later callers',
    evidence: 'unverified',
  };
}

export const mutexOwn: readonly ResourceModel[] = Object.entries(PAIRS).map(lockOf);
