// Producers, consumers and admins: the obligation starts with `connect`.
import type { ResourceModel } from '../model.ts';

export const kafkajsClient: ResourceModel = {
  id: 'kafkajs.client',
  modules: ['kafkajs'],
  types: ['Producer', 'Consumer', 'Admin'],
  acquire: [
    { call: 'producer', on: ['Kafka'], receiver: /[kK]afka$/ },
    { call: 'consumer', on: ['Kafka'], receiver: /[kK]afka$/ },
    { call: 'admin', on: ['Kafka'], receiver: /[kK]afka$/ },
  ],
  release: ['disconnect'],
  idempotent: true,
  starts: ['connect'],
  doubleRelease: 'ok',
  useAfterRelease: 'rejects',
  leak: 'socket, group membership',
  evidence: 'unverified',
};
