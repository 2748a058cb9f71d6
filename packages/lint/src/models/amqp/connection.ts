// Connections of AMQP: their channels end with them.
import type { ResourceModel } from '../model.ts';

export const amqpConnection: ResourceModel = {
  id: 'amqp.connection',
  modules: ['amqplib'],
  types: ['ChannelModel'],
  acquire: [{ call: 'connect', async: true, receiver: /^(amqp|amqplib)$/i, unlessCallback: true }],
  release: ['close'],
  idempotent: true,
  usableAfter: true,
  doubleRelease: 'throws IllegalOperationError',
  useAfterRelease: 'throws',
  leak: 'the connection stays open, and the process may not end',
  evidence: 'unverified',
};
