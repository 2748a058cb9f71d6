// Spies and stubs.
// Off by default: a hook that restores all covers them.
import type { Model } from '../model.ts';

export const testSpy: Model = {
  id: 'test.spy',
  modules: ['vitest', '@vitest/spy', 'sinon', 'node:test'],
  types: ['MockInstance', 'SinonStub'],
  acquire: [
    { call: 'spyOn', receiver: /^(vi|jest)$/ },
    { call: 'stub', receiver: /^sinon$/ },
  ],
  release: ['mockRestore', 'restore', '[Symbol.dispose]'],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'nothing is known of it',
  leak: 'pollutes later tests',
  optIn: true,
  evidence: 'unverified',
};
