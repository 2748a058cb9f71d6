// USB devices: claimed by `open`.
import type { ResourceModel } from '../model.ts';

export const webUsb: ResourceModel = {
  id: 'web.usb',
  modules: ['lib'],
  types: ['USBDevice'],
  acquire: [{ call: 'requestDevice', async: true, on: ['USB'], receiver: /usb$/ }],
  release: ['close'],
  starts: ['open'],
  doubleRelease: 'rejects/ok',
  useAfterRelease: 'rejects',
  leak: 'device locked',
  evidence: 'unverified',
};
