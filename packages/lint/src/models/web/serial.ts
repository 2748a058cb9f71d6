// Serial ports: taken by `open`.
import type { Model } from '../model.ts';

export const webSerial: Model = {
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
