// Handles from pools of the project or of unknown packages, recognized by names.
import type { AcquireCall, ResourceModel } from '../model.ts';

const LENDS = [
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

const acquire = LENDS.map((call): AcquireCall => ({
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
  types: ['Lent'],
  acquire,
  release: ['release', 'unlock', 'giveBack', 'returnToPool'],
  doubleRelease: 'gives back what somebody else may have by now',
  useAfterRelease: 'uses what somebody else may have by now',
  leak: 'nobody else gets it any more',
  evidence: 'unverified',
};
