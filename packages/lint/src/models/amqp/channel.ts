// Channels: closed before their connection.
import type { Model } from '../model.ts';

export const amqpChannel: Model = {
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
