// Spies and stubs.
// Off by default: a hook that restores all spies covers them.
import type { ResourceModel } from '../model.ts';

export const testSpy: ResourceModel = {
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
  doubleRelease: 'does nothing',
  useAfterRelease: 'the stub still answers, and the subject is itself again',
  leak: 'pollutes later tests',
  optIn: true,
  evidence: 'probed',
};
