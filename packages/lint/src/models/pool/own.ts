// Handles from pools of the project or of unknown packages, recognized by names.
import type { AcquireCall, ResourceModel } from '../model.ts';

const ACQUIRING_NAMES = [
  'acquire',
  'acquireSession',
  'borrow',
  'checkOut',
  'checkout',
  'connect',
  'getConnection',
  'getSession',
  'lease',
  'obtain',
  'reserve',
];

const acquire = ACQUIRING_NAMES.map((call): AcquireCall => ({
  call,
  receiver: /./,
  async: true,
  whenReleased: true,
  evenInProject: true,
  unlessCallback: true,
}));

export const poolOwn: ResourceModel = {
  id: 'pool.own',
  modules: [],
  types: ['PoolResource'],
  acquire,
  release: ['release', 'unlock', 'giveBack', 'returnToPool'],
  doubleRelease: 'returns a resource that may have a new holder',
  useAfterRelease: 'uses a resource that may have a new holder',
  leak: 'the pool loses its capacity',
  evidence: 'unverified',
};
