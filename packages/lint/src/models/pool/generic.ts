// Resources of generic-pool: released to the pool.
import type { ResourceModel } from '../model.ts';

export const poolGeneric: ResourceModel = {
  id: 'pool.generic',
  modules: ['generic-pool', 'tarn', 'sequelize-pool', 'lightning-pool'],
  types: ['Resource'],
  acquire: [{ call: 'acquire', async: true, on: ['Pool'], receiver: /[pP]ool$/ }],
  release: [],
  alsoReleasedBy: ['release', 'destroy'],
  via: [
    { call: 'release', argument: 0, receiver: /[pP]ool$/ },
    { call: 'destroy', argument: 0, receiver: /[pP]ool$/ },
  ],
  doubleRelease: 'throws "not currently part of this pool"',
  useAfterRelease: 'silent',
  leak: 'pool exhausted',
  evidence: 'probed',
};
