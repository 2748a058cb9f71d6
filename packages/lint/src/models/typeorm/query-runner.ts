// Query runners: they hold a connection of the pool.
import type { ResourceModel } from '../model.ts';

export const typeormQueryRunner: ResourceModel = {
  id: 'typeorm.queryRunner',
  modules: ['typeorm'],
  types: ['QueryRunner'],
  acquire: [{ call: 'createQueryRunner', receiver: /./, evenInProject: true }],
  release: ['release', '[Symbol.asyncDispose]'],
  idempotent: true,
  closedOnReject: ['connect'],
  safe: ['isReleased', 'isTransactionActive'],
  doubleRelease: 'no-op',
  useAfterRelease: 'QueryRunnerAlreadyReleasedError',
  leak: 'pool exhausted',
  evidence: 'source',
};
