// The abstract model: unit costs, a copy takes ten cycles, and there is no contention.
import type { GpuModel, GpuModelParameter } from '../model.ts';
import { PARAMETER_NAMES, type ParameterName } from '../parameters.ts';
import { from } from './parameter.ts';

const one = from('one by definition')(1);
const ten = from('ten by definition')(10);
const none = from('none by definition')(0);
const unlimited = from('unlimited by definition')(Infinity);

/** Everything else is nothing. */
const parameters: Partial<Record<ParameterName, GpuModelParameter>> = {
  multiprocessors: unlimited,
  sharedBytes: unlimited,
  ctaSharedBytes: unlimited,
  residentCtas: unlimited,
  residentThreads: unlimited,
  residentRegisters: unlimited,
  wakeCycles: one,
  laneWakeCycles: one,
  warpWakeCycles: one,
  groupWakeCycles: one,
  pollsPerBurst: one,
  signalCycles: one,
  arriveCycles: one,
  expectCycles: one,
  copyIssueCycles: one,
  issueCycles: one,
  linkBytesPerCycle: unlimited,
  groups: one,
  groupBytesPerNanosecond: unlimited,
  storeCycles: one,
  storeBytesPerCycle: unlimited,
  storesBytesPerNanosecond: unlimited,
  l2LatencyNanoseconds: ten,
  hbmLatencyNanoseconds: ten,
  mmaHbmLatencyNanoseconds: ten,
  l2BytesPerNanosecond: unlimited,
  hbmBytesPerNanosecond: unlimited,
  globalLoadNanoseconds: one,
  remoteCopyCycles: ten,
  remoteCopyBytesPerCycle: unlimited,
  loadNanoseconds: one,
  mmaIssueCycles: one,
  mmaQueueCycles: unlimited,
  mmaFlopsPerCycle: unlimited,
  mmaDefaultCycles: ten,
};

export const abstract: GpuModel = {
  name: 'abstract',
  title: 'unit costs, no GPU',
  caveat: 'unit costs: the cycles are steps, not time',
  parameters: Object.fromEntries(
    PARAMETER_NAMES.map((name) => [name, parameters[name] ?? none]),
  ) as GpuModel['parameters'],
};
