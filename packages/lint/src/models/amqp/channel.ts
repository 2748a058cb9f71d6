// Channels: closed before their connection.
import type { ResourceModel } from '../model.ts';

export const amqpChannel: ResourceModel = {
  id: 'amqp.channel',
  modules: ['amqplib'],
  types: ['Channel', 'ConfirmChannel'],
  acquire: [
    { call: 'createChannel', async: true, receiver: /(conn|connection)$/i },
    { call: 'createConfirmChannel', async: true, receiver: /(conn|connection)$/i },
  ],
  release: ['close'],
  before: 'receiver',
  doubleRelease: 'throws IllegalOperationError',
  useAfterRelease: 'throws',
  leak: 'channel leak',
  evidence: 'unverified',
};
