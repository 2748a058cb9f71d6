// Subscriptions.
// Off by default: `takeUntil` and completion end most of them.
import type { ResourceModel } from '../model.ts';

export const rxSubscription: ResourceModel = {
  id: 'rx.subscription',
  modules: ['rxjs'],
  types: ['Subscription'],
  acquire: [{ call: 'subscribe', on: ['Observable', 'Subject', 'BehaviorSubject'] }],
  release: ['unsubscribe'],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'what add() is given then is run at once',
  leak: 'listener leak',
  mildLeak: 'listener',
  optIn: true,
  evidence: 'probed',
};
