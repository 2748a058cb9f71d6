// Producers, consumers and admins: they begin with `connect`.
import type { Model } from '../model.ts';

export const kafkajsClient: Model = {
  id: 'kafkajs.client',
  modules: ['kafkajs'],
  types: ['Producer', 'Consumer', 'Admin'],
  acquire: [
    { call: 'producer', on: ['Kafka'], receiver: /kafka$/ },
    { call: 'consumer', on: ['Kafka'], receiver: /kafka$/ },
    { call: 'admin', on: ['Kafka'], receiver: /kafka$/ },
  ],
  release: ['disconnect'],
  idempotent: true,
  starts: ['connect'],
  doubleRelease: 'ok',
  useAfterRelease: 'rejects',
  leak: 'socket, group membership',
  evidence: 'unverified',
};
