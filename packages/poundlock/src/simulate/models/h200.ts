// NVIDIA H200: fitted to what was measured on one (docs/calibration.md).
import type { GpuModel } from '../model.ts';
import { from } from './parameter.ts';

const fitted = from('fitted to bench/h200');

export const h200: GpuModel = {
  name: 'h200',
  title: 'NVIDIA H200, calibrated',
  caveat: null,
  clockMegahertz: 1980,
  parameters: {
    launchCycles: fitted(371.42),
    waitCycles: fitted(25.245),
    wakeCycles: fitted(91.625),
    pollPauseCycles: fitted(157.48),
    pollIntervalCycles: fitted(44.017),
    pollsPerBurst: from('measured: bench/h200/micro.csv')(4, 'polls'),
    arriveCycles: fitted(9.6617),
    expectCycles: fitted(60.669),
    copyIssueCycles: fitted(55.543),
    spinStepCycles: from('measured: rows of two_role.csv differ by whole steps')(33),
    spinOverheadCycles: fitted(19.189),
    issueCycles: from('assumed: no measured program has such operations')(10),
    linkBytesPerCycle: fitted(110.65, 'bytes/cycle'),
    l2LatencyCycles: fitted(193.87),
    hbmLatencyCycles: fitted(695.77),
    hbmSpreadCycles: fitted(95.256),
    l2BytesPerCycle: fitted(4528.5, 'bytes/cycle'),
    hbmBytesPerCycle: fitted(2368.9, 'bytes/cycle'),
    l2QueueCycles: fitted(119.16),
    hbmQueueCycles: fitted(312.27),
    queueSteepness: fitted(0.71754, '1'),
    loadCycles: fitted(10_652),
    burstCycles: fitted(2833.4),
    dirtyBytes: from('NVIDIA H200 data sheet: 50 MB of L2')(50e6, 'bytes'),
    tiledL2LatencyCycles: fitted(97.982),
    tiledHbmLatencyCycles: fitted(299.14),
    tiledSpreadFactor: fitted(3.2784, '1'),
    tiledBandwidthFactor: fitted(1.1046, '1'),
    mmaIssueCycles: fitted(9.3098),
    mmaQueueDepth: from('the whole number that fits best')(2, 'instructions'),
    mmaStartCycles: fitted(50.657),
    mmaDrainCycles: fitted(22.062),
    mmaOverheadCycles: fitted(0.66461),
    mmaDefaultCycles: from('m64n256k16, four times')(512),
  },
};
