// The abstract model: unit costs, a copy takes ten cycles, and there is no contention.
import type { GpuModel } from '../model.ts';
import { from } from './parameter.ts';

const unit = from('one by definition');
const none = from('none by definition');

export const abstract: GpuModel = {
  name: 'abstract',
  title: 'unit costs, no GPU',
  caveat: 'unit costs: the cycles are steps, not time',
  clockMegahertz: 0,
  parameters: {
    launchCycles: none(0),
    waitCycles: none(0),
    wakeCycles: unit(1),
    pollPauseCycles: none(0),
    pollIntervalCycles: none(0),
    pollsPerBurst: unit(1, 'polls'),
    arriveCycles: unit(1),
    expectCycles: unit(1),
    copyIssueCycles: unit(1),
    spinStepCycles: none(0),
    spinOverheadCycles: none(0),
    issueCycles: unit(1),
    linkBytesPerCycle: none(Infinity, 'bytes/cycle'),
    l2LatencyCycles: from('ten by definition')(10),
    hbmLatencyCycles: from('ten by definition')(10),
    hbmSpreadCycles: none(0),
    l2BytesPerCycle: none(Infinity, 'bytes/cycle'),
    hbmBytesPerCycle: none(Infinity, 'bytes/cycle'),
    l2QueueCycles: none(0),
    hbmQueueCycles: none(0),
    queueSteepness: none(0, '1'),
    loadCycles: unit(1),
    burstCycles: none(0),
    dirtyBytes: none(0, 'bytes'),
    tiledL2LatencyCycles: from('ten by definition')(10),
    tiledHbmLatencyCycles: from('ten by definition')(10),
    tiledSpreadFactor: unit(1, '1'),
    tiledBandwidthFactor: unit(1, '1'),
    mmaIssueCycles: unit(1),
    mmaQueueDepth: from('deep enough by definition')(64, 'instructions'),
    mmaStartCycles: none(0),
    mmaDrainCycles: none(0),
    mmaOverheadCycles: none(0),
    mmaDefaultCycles: from('ten by definition')(10),
  },
};
