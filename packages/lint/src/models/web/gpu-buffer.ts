// Buffers, textures and query sets of a GPU. `destroy` frees before the collector would: WebGPU
// gives no other use for it.
import type { ResourceModel } from '../model.ts';

export const webGpuBuffer: ResourceModel = {
  id: 'web.gpuBuffer',
  modules: ['lib', '@webgpu/types'],
  types: ['GPUBuffer', 'GPUTexture', 'GPUQuerySet'],
  acquire: [
    { call: 'createBuffer', on: ['GPUDevice'], receiver: /[dD]evice$/ },
    { call: 'createTexture', type: 'GPUTexture', on: ['GPUDevice'], receiver: /[dD]evice$/ },
    { call: 'createQuerySet', type: 'GPUQuerySet', on: ['GPUDevice'], receiver: /[dD]evice$/ },
  ],
  release: ['destroy'],
  borrowers: [
    'setVertexBuffer',
    'setIndexBuffer',
    'writeBuffer',
    'writeTexture',
    'copyBufferToBuffer',
    'copyBufferToTexture',
    'copyTextureToBuffer',
    'copyTextureToTexture',
    'copyExternalImageToTexture',
    'resolveQuerySet',
  ],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'a GPUValidationError, which is no exception',
  leak: 'GPU memory until GC',
  mildLeak: 'collected',
  evidence: 'probed',
};
