// Buffers, textures and query sets of a GPU.
import type { Model } from '../model.ts';

export const webGpuBuffer: Model = {
  id: 'web.gpuBuffer',
  modules: ['lib', '@webgpu/types'],
  types: ['GPUBuffer', 'GPUTexture', 'GPUQuerySet'],
  acquire: [
    { call: 'createBuffer', on: ['GPUDevice'], receiver: /device$/ },
    { call: 'createTexture', on: ['GPUDevice'], receiver: /device$/ },
    { call: 'createQuerySet', on: ['GPUDevice'], receiver: /device$/ },
  ],
  release: ['destroy'],
  idempotent: true,
  doubleRelease: 'no-op',
  useAfterRelease: 'validation error',
  leak: 'GPU memory until GC',
  evidence: 'unverified',
};
