// NVIDIA H100 SXM: measured on one, and fitted (bench/results/calibration.md).
import { MEASURED_ERRORS } from '../measured-errors.ts';
import type { GpuModel } from '../model.ts';
import { h200 } from './h200.ts';
import { from } from './parameter.ts';

const fitted = from('fitted to bench/h100');
const clocks = from('measured: bench/h100/clocks.csv, clock_states.csv');
const device = from('reported by the device');

export const h100: GpuModel = {
  name: 'h100',
  title: 'NVIDIA H100 SXM, calibrated',
  caveat: null,
  errors: MEASURED_ERRORS.h100,
  parameters: {
    // Its SMs are those of an H200: the tables agree to the cycle.
    ...h200.parameters,
    tensorMegahertz: clocks(1810),
    loadMegahertz: clocks(60),
    sustainedMegahertz: clocks(1700),
    l2Bytes: device(52_428_800),
    hbmLatencyNanoseconds: fitted(325.3),
    mmaHbmLatencyNanoseconds: fitted(188.5),
    l2BytesPerNanosecond: fitted(8000),
    hbmBytesPerNanosecond: fitted(3208),
    // A fence for the cluster takes 676 cycles on the measured H100, and 273 on an H200.
    remoteArriveCycles: from('measured: bench/h100/probe_store.csv')(834),
    remoteHoldCycles: from('fitted to bench/h100/multicast.csv')(700),
    writeBackShare: from('fitted to bench/h100/store.csv')(1.14),
    storesBytesPerNanosecond: from('measured: bench/h100/probe_store.csv')(3640),
  },
};
