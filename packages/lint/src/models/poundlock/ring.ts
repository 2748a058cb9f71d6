// Stages of a ring between threads: an endpoint has few, and the other side waits for each.
import type { AcquireCall, ResourceModel } from '../model.ts';

/** An endpoint where no type is known: by the call that returned it. */
const PRODUCER = { receiverFrom: /\.producer\(\)$/ };
const CONSUMER = { receiverFrom: /\.consumer\(\)$/ };

function acquires(call: string, type: string, extra: Partial<AcquireCall> = {}): AcquireCall[] {
  return [
    { call, type, on: ['Producer'], ...PRODUCER, ...extra },
    // At the end of the stream, a consumer gets `undefined`.
    { call, type, on: ['Consumer'], ...CONSUMER, nullable: true, ...extra },
  ];
}

export const ringStage: ResourceModel = {
  id: 'poundlock.ringStage',
  modules: ['poundlock/ring', '@poundlock/ring'],
  types: ['RingStage', 'Batch'],
  acquire: [
    ...acquires('acquireSync', 'RingStage'),
    ...acquires('acquire', 'RingStage', { async: true }),
    ...acquires('tryAcquire', 'RingStage', { nullable: true }),
    ...acquires('acquireBatchSync', 'Batch'),
    ...acquires('acquireBatch', 'Batch', { async: true }),
    ...acquires('tryAcquireBatch', 'Batch', { nullable: true }),
  ],
  release: ['release', 'cancel', '[Symbol.dispose]'],
  scopeAfterRelease: true,
  safe: ['index'],
  doubleRelease: 'throws RingMisuse',
  useAfterRelease: 'throws RingMisuse, or overwrites an item that another thread owns',
  leak: 'the other side waits for this stage until its time-out',
  evidence: 'source',
};
