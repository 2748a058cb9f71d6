// NVIDIA B200: from public figures, not measured.
import type { GpuModel } from '../model.ts';
import { h200 } from './h200.ts';
import { from } from './parameter.ts';

const assumed = 'copied from the h200 model: no public figure';
const sheet = from('NVIDIA Blackwell data sheet: 148 SMs, 8 TB/s, 1.85 GHz, 126 MB of L2');
const tensor = from('NVIDIA Blackwell data sheet: 2.25 PFLOP/s of dense bf16');

const parameters = Object.fromEntries(
  Object.entries(h200.parameters).map(([name, one]) => [name, { ...one, source: assumed }]),
) as GpuModel['parameters'];

export const b200: GpuModel = {
  name: 'b200',
  title: 'NVIDIA B200, from public figures',
  caveat: 'no parameter of this model was measured: trust the order of its results, not the cycles',
  clockMegahertz: 1850,
  parameters: {
    ...parameters,
    hbmBytesPerCycle: sheet(4324, 'bytes/cycle'),
    l2BytesPerCycle: sheet(8600, 'bytes/cycle'),
    dirtyBytes: sheet(126e6, 'bytes'),
    // 128×256×16 multiply-adds at 8,192 operations a cycle and SM.
    mmaDefaultCycles: tensor(128),
  },
};
