// Duplicated connections.
import type { ResourceModel } from '../model.ts';

export const redisClient: ResourceModel = {
  id: 'redis.client',
  modules: ['redis', '@redis/client', 'ioredis'],
  types: ['RedisClientType', 'Redis'],
  acquire: [{ call: 'duplicate', receiver: /(redis|client|pub|sub|publisher|subscriber)$/i }],
  release: ['quit', 'disconnect', 'close', 'destroy'],
  idempotent: true,
  doubleRelease: 'rejects/ok',
  useAfterRelease: 'rejects',
  leak: 'socket',
  evidence: 'unverified',
};
