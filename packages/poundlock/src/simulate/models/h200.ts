// NVIDIA H200: fitted to what was measured on one (docs/calibration.md).
import type { Model } from '../model.ts';
import { from } from './parameter.ts';

const fitted = from('fitted to bench/h200');

export const h200: Model = {
  name: 'h200',
  title: 'NVIDIA H200, calibrated',
  caveat: null,
  clockMegahertz: 1980,
  parameters: {
    launchCycles: fitted(336.18),
    waitCycles: fitted(25.245),
    wakeCycles: fitted(91.625),
    pollPauseCycles: fitted(157.03),
    pollIntervalCycles: fitted(44.017),
    pollsPerBurst: from('measured: bench/h200/micro.csv')(4, 'polls'),
    arriveCycles: fitted(9.682),
    expectCycles: fitted(60.669),
    copyIssueCycles: fitted(54.54),
    spinStepCycles: from('measured: rows of two_role.csv differ by whole steps')(33),
    spinOverheadCycles: fitted(19.189),
    issueCycles: from('assumed: no measured program has such operations')(10),
    linkBytesPerCycle: fitted(110.65, 'bytes/cycle'),
    l2LatencyCycles: fitted(194.7),
    hbmLatencyCycles: fitted(695.77),
    hbmSpreadCycles: fitted(95.256),
    l2BytesPerCycle: fitted(4528.5, 'bytes/cycle'),
    hbmBytesPerCycle: fitted(2363.7, 'bytes/cycle'),
    l2QueueCycles: fitted(114.68),
    hbmQueueCycles: fitted(316.26),
    queueSteepness: fitted(0.7182, '1'),
    loadCycles: fitted(10_837),
    burstCycles: fitted(2782),
    dirtyBytes: from('NVIDIA H200 data sheet: 50 MB of L2')(50e6, 'bytes'),
    tiledL2LatencyCycles: fitted(95.76),
    tiledHbmLatencyCycles: fitted(330.53),
    tiledSpreadFactor: fitted(3.262, '1'),
    tiledBandwidthFactor: fitted(1.1046, '1'),
    mmaIssueCycles: fitted(32.75),
    mmaQueueDepth: from('the whole number that fits best')(3, 'instructions'),
    mmaStartCycles: fitted(9.5478),
    mmaDrainCycles: fitted(57.436),
    mmaOverheadCycles: fitted(1.2904),
    mmaDefaultCycles: from('m64n256k16, four times')(512),
  },
};
