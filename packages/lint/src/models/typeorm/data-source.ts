// Data sources: they hold a pool from `initialize` on.
// Off by default: applications use theirs as long as they run.
import type { ResourceModel } from '../model.ts';

export const typeormDataSource: ResourceModel = {
  id: 'typeorm.dataSource',
  modules: ['typeorm'],
  types: ['DataSource'],
  acquire: [{ call: 'DataSource', construct: true }],
  release: ['destroy'],
  starts: ['initialize'],
  doubleRelease: 'rejects CannotExecuteNotConnectedError',
  useAfterRelease: 'query() rejects QueryFailedError',
  leak: 'pool',
  optIn: true,
  evidence: 'probed',
};
