// GPU devices.
// Off by default: most programs keep their device as long as they run.
import type { ResourceModel } from '../model.ts';

export const webGpuDevice: ResourceModel = {
  id: 'web.gpuDevice',
  modules: ['lib', '@webgpu/types'],
  types: ['GPUDevice'],
  acquire: [{ call: 'requestDevice', async: true, on: ['GPUAdapter'], receiver: /[aA]dapter$/ }],
  release: ['destroy'],
  idempotent: true,
  doubleRelease: 'does nothing',
  useAfterRelease: 'nothing fails, and nothing is done: the device is lost',
  leak: 'GPU memory',
  optIn: true,
  evidence: 'probed',
};
