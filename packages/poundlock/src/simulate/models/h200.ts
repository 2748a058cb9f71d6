// NVIDIA H200: measured on one, and fitted (bench/results/calibration.md).
import { MEASURED_ERRORS } from '../measured-errors.ts';
import type { GpuModel } from '../model.ts';
import { hopper } from './hopper.ts';
import { from } from './parameter.ts';

const fitted = from('fitted to bench/h200');
const clocks = from('measured: bench/h200/clocks.csv, clock_states.csv');
const sheet = from('NVIDIA H200 data sheet');
const device = from('reported by the device');

export const h200: GpuModel = {
  name: 'h200',
  title: 'NVIDIA H200, calibrated',
  caveat: null,
  errors: MEASURED_ERRORS.h200,
  parameters: {
    ...hopper,
    idleMegahertz: clocks(1980),
    tensorMegahertz: clocks(1803),
    loadMegahertz: clocks(115),
    sustainedMegahertz: clocks(1400),
    multiprocessors: sheet(132),
    l2Bytes: device(62_914_560),
    l2LatencyNanoseconds: fitted(97.914),
    hbmLatencyNanoseconds: fitted(351.4),
    mmaHbmLatencyNanoseconds: fitted(212.5),
    mmaSpreadFactor: fitted(3),
    dirtyShare: fitted(0.635),
    hbmSpreadNanoseconds: fitted(48.109),
    l2BytesPerNanosecond: fitted(9345),
    hbmBytesPerNanosecond: fitted(4670),
    l2QueueNanoseconds: fitted(45),
    hbmQueueNanoseconds: fitted(182.1),
    l2GapNanoseconds: fitted(21),
    hbmGapNanoseconds: fitted(8),
    queueSteepness: fitted(0.714),
    loadNanoseconds: fitted(8221),
    burstNanoseconds: fitted(1348),
    writeBackShare: from('fitted to bench/h200/store.csv')(1.26),
    storesBytesPerNanosecond: from('measured: bench/h200/probe_store.csv')(4950),
  },
};
