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
  parameters: {
    ...parameters,
    idleMegahertz: sheet(1850),
    tensorMegahertz: sheet(1850),
    loadMegahertz: sheet(0),
    sustainedMegahertz: sheet(1850),
    multiprocessors: sheet(148),
    hbmBytesPerNanosecond: sheet(8000),
    l2BytesPerNanosecond: sheet(15_910),
    l2Bytes: sheet(126e6),
    mmaFlopsPerCycle: tensor(8192),
    // 128×256×16 multiply-adds at 8,192 operations a cycle and SM.
    mmaDefaultCycles: tensor(128),
  },
};
