// What a pool of the project's own lends, or of a package that is not known: names say so.
import type { Acquire, ResourceModel } from '../model.ts';

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

const acquire = LENDS.map((call): Acquire => ({
  call,
  receiver: /./,
  async: true,
  whenReleased: true,
  evenOwn: true,
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
