// What the SMs of all Hopper GPUs share: an H100 and an H200 differ in memory and clocks alone.
import type { GpuModelParameter } from '../model.ts';
import type { ParameterName } from '../parameters.ts';
import { from } from './parameter.ts';

const fitted = from('fitted to bench/h200');
const micro = from('measured: bench/h200/micro.csv');
const styles = from('fitted to bench/h200/styles.csv');
const maps = from('fitted to bench/h200/tensormap.csv');
const threads = from('fitted to bench/h100/cp_async.csv');
const stores = from('measured: bench/h200/probe_store.csv');
const instructions = from('measured: bench/h100/instructions.csv');
const dsmem = from('measured: bench/h100/dsmem.csv');
const sheet = from('CUDA C++ Programming Guide, compute capability 9.0');

/** The numbers of an SM of compute capability 9.0. */
export const hopper = {
  sharedBytes: sheet(233_472),
  ctaSharedBytes: sheet(232_448),
  reservedSharedBytes: sheet(1024),
  residentCtas: sheet(32),
  residentThreads: sheet(2048),
  residentRegisters: sheet(65_536),
  launchCycles: fitted(371.42),
  nextCtaCycles: from('measured: bench/h100/waves.csv')(850),
  waitCycles: fitted(25.245),
  wakeCycles: fitted(91.625),
  pollPauseCycles: fitted(157.48),
  pollIntervalCycles: fitted(44.017),
  pollsPerBurst: micro(4),
  arriveCycles: fitted(9.6617),
  laneArriveCycles: fitted(0.365),
  expectCycles: fitted(60.669),
  copyIssueCycles: fitted(55.543),
  spinStepCycles: from('measured: rows of two_role.csv differ by whole steps')(33),
  spinOverheadCycles: fitted(72.189),
  overlapCycles: fitted(53),
  issueCycles: from('assumed: no measured program has such operations')(10),
  testCycles: micro(7),
  signalCycles: micro(72),
  accessCycles: instructions(2),
  sharedLoadCycles: instructions(23),
  remoteLoadCycles: instructions(196),
  globalLoadNanoseconds: instructions(134),
  laneWaitCycles: styles(25),
  laneWakeCycles: styles(123),
  lanePollCycles: styles(40),
  warpWaitCycles: styles(25),
  warpWakeCycles: styles(67),
  groupWaitCycles: styles(45),
  groupWakeCycles: styles(10),
  laneElectCycles: styles(73),
  warpElectCycles: styles(97),
  groupElectCycles: styles(165),
  linkBytesPerCycle: fitted(110.65),
  tensorExpectCycles: maps(84),
  tensorIssueCycles: maps(18),
  tensorL2Nanoseconds: maps(27),
  tensorHbmNanoseconds: maps(95),
  threadCopyCycles: threads(30),
  threadIssueCycles: threads(123),
  threadLatencyNanoseconds: threads(36.5),
  storeCycles: stores(53),
  storeBytesPerCycle: stores(32),
  storeDoneCycles: stores(36),
  remoteHoldCycles: from('fitted to bench/h200/multicast.csv')(632),
  remoteQueueNanoseconds: from('fitted to bench/h200/multicast.csv, bench/h100/multicast.csv')(80),
  remoteFlushCycles: from('fitted to bench/h100/multicast.csv')(130),
  remoteArriveCycles: stores(371),
  groups: from('132 SMs in groups of 16 and 18')(8),
  groupBytesPerNanosecond: from('an eighth of the L2; one alone: 1,060 to 1,090')(1120.8),
  remoteCopyCycles: dsmem(480),
  remoteCopyBytesPerCycle: dsmem(21.4),
  multicastCycles: from('fitted to bench/h200/multicast.csv')(0),
  mmaIssueCycles: fitted(12.9),
  mmaIssueShare: fitted(0.178),
  mmaCopyCycles: fitted(27),
  mmaPipelinedCycles: fitted(80),
  mmaQueueCycles: fitted(640),
  mmaStartCycles: fitted(70),
  mmaDrainCycles: fitted(29),
  mmaOverheadCycles: fitted(0.66461),
  mmaFlopsPerCycle: from('NVIDIA H100 white paper: 1,024 FMA of 16 bits a cycle and core')(4096),
  mmaDefaultCycles: from('m64n256k16, four times')(512),
} as const satisfies Partial<Record<ParameterName, GpuModelParameter>>;
