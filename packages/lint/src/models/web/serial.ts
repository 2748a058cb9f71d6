// Serial ports: claimed by `open`.
import type { ResourceModel } from '../model.ts';

export const webSerial: ResourceModel = {
  id: 'web.serial',
  modules: ['lib'],
  types: ['SerialPort'],
  acquire: [{ call: 'requestPort', async: true, on: ['Serial'], receiver: /serial$/ }],
  release: ['close'],
  starts: ['open'],
  doubleRelease: 'rejects InvalidStateError',
  useAfterRelease: 'rejects',
  leak: 'device locked',
  evidence: 'unverified',
};
