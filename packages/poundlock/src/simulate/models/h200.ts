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
    waitCycles: fitted(20.948),
    wakeCycles: fitted(91.625),
    warpWakeCycles: fitted(91.6),
    pollPauseCycles: fitted(157.03),
    pollIntervalCycles: fitted(44.017),
    pollsPerBurst: fitted(4, 'polls'),
    arriveCycles: fitted(9.682),
    expectCycles: fitted(60.669),
    copyIssueCycles: fitted(54.54),
    roundCycles: fitted(4.2973),
    spinStepCycles: fitted(33.004),
    spinOverheadCycles: fitted(19.189),
    issueCycles: fitted(10),
    linkBytesPerCycle: fitted(110.65, 'bytes/cycle'),
    l2LatencyCycles: fitted(194.7),
    hbmLatencyCycles: fitted(695.77),
    l2SpreadCycles: fitted(9.4063),
    hbmSpreadCycles: fitted(95.256),
    l2BytesPerCycle: fitted(4528.5, 'bytes/cycle'),
    hbmBytesPerCycle: fitted(2363.7, 'bytes/cycle'),
    l2QueueCycles: fitted(114.68),
    hbmQueueCycles: fitted(316.26),
    queueSteepness: fitted(0.7182, '1'),
    loadCycles: fitted(10_837),
    burstCycles: fitted(2782),
    dirtyBytes: fitted(47_086_000, 'bytes'),
    tiledBandwidthFactor: fitted(1.1046, '1'),
    mmaIssueCycles: fitted(15.4664),
    mmaQueueDepth: fitted(2, 'instructions'),
    mmaStartCycles: fitted(28.2487),
    mmaDrainCycles: fitted(56.15),
    mmaOverheadCycles: fitted(0.639),
    mmaDefaultCycles: fitted(512),
  },
};
