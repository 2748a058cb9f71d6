// The parameters of a GPU model: what each means, its unit, and how it is found for a GPU.

import { BUILT_PARAMETERS } from './built-parameters.ts';

/**
 * How the value of a parameter is found: read off a table of single costs, fitted to the times of
 * whole programs, published in a data sheet, or a property that all measured GPUs share.
 */
export type ParameterOrigin = 'measured' | 'fitted' | 'published' | 'shared';

/** One parameter of a GPU model. */
export interface ParameterInfo {
  /** Its unit. */
  readonly unit: string;
  /** What it means. */
  readonly about: string;
  /** How its value is found. */
  readonly origin: ParameterOrigin;
  /** The tables that determine it, without `.csv`; the last resort is the value of `h200`. */
  readonly tables: readonly string[];
}

const of =
  (unit: string, origin: ParameterOrigin, ...tables: string[]) =>
  (about: string): ParameterInfo => ({ unit, about, origin, tables });

const megahertz = of('MHz', 'measured', 'clocks', 'clock_states');
const sheet = (unit: string) => of(unit, 'published');
const rings = ['two_role', 'three_role', 'release_order'];
/** What a role does on its SM: in its cycles. No two measured GPUs of one architecture differ. */
const warp = of('cycles', 'fitted', 'micro', ...rings);
const style = of('cycles', 'fitted', 'styles');
const memory = of('ns', 'fitted', 'micro', ...rings);
const rate = of('bytes/ns', 'fitted', ...rings);
const tensor = of('cycles', 'fitted', 'tensor_core', 'probe_mm');

/**
 * Every parameter of a model. Memory keeps its own time, so that its latencies are in nanoseconds;
 * instructions and the copy engine run at the clock of the SM. Names end with the units.
 */
export const PARAMETERS = {
  // The clock of an SM by kind of work.
  idleMegahertz: megahertz('The clock of an SM that does no tensor-core work.'),
  tensorMegahertz: megahertz('The clock from the first tensor-core instruction on.'),
  loadMegahertz: megahertz('By how much the clock falls when all tensor cores are always busy.'),
  sustainedMegahertz: megahertz('The clock of long tensor-core work at the power limit.'),

  // The chip.
  multiprocessors: sheet('SMs')('SMs that can run CTAs.'),
  sharedBytes: sheet('bytes')('Shared memory of an SM for all of its CTAs.'),
  ctaSharedBytes: sheet('bytes')('The most shared memory of one CTA.'),
  reservedSharedBytes: sheet('bytes')('Shared memory that the system takes for each CTA.'),
  residentCtas: sheet('CTAs')('The most CTAs of an SM.'),
  residentThreads: sheet('threads')('The most threads of an SM.'),
  residentRegisters: sheet('registers')('Registers of an SM for all of its threads.'),
  l2Bytes: sheet('bytes')('The L2, whose dirty lines cold runs write back first.'),

  // A role on its SM.
  launchCycles: warp('From the start of a CTA to the first operation of its roles.'),
  nextCtaCycles: of(
    'cycles',
    'measured',
    'waves',
  )('From the end of a CTA to the start of the one that gets its place on the SM.'),
  waitCycles: warp('From reaching a wait to its first poll.'),
  wakeCycles: warp('From the poll that sees the completed phase to the next instruction.'),
  pollPauseCycles: warp('After each burst of polls.'),
  pollIntervalCycles: warp('Between polls of one burst.'),
  pollsPerBurst: of('polls', 'measured', 'micro')('Polls of one burst.'),
  arriveCycles: warp('Of an arrive, until it is visible and the role continues.'),
  laneArriveCycles: of(
    'cycles',
    'fitted',
    'tensor_core',
  )('Of an arrive of several lanes, for each lane that the phase counts beside the first.'),
  expectCycles: warp('Of an arrive that expects bytes, with the addresses of its copy.'),
  copyIssueCycles: warp('That a role spends on issuing a copy.'),
  spinStepCycles: of('cycles', 'measured', 'two_role')('A timed wait reads the clock so often.'),
  spinOverheadCycles: warp('A timed wait takes so much longer.'),
  overlapCycles: warp(
    'Of the end of a wait or of a copy, in which a role can begin a wait or a timed one.',
  ),
  issueCycles: of('cycles', 'shared')('Of any other operation.'),

  // A wait for a barrier that belongs to no ring: no stage to count, no address to compute.
  testCycles: of('cycles', 'measured', 'micro')('Of a wait that need not wait.'),
  signalCycles: of(
    'cycles',
    'measured',
    'micro',
  )('From an arrive being visible to the next instruction of a role that waits for it.'),

  // Loads and stores of the threads themselves; a load is waited for where its role goes on.
  accessCycles: of('cycles', 'measured', 'instructions')('Of issuing a load or a store.'),
  sharedLoadCycles: of('cycles', 'measured', 'instructions')('Of a load from shared memory.'),
  remoteLoadCycles: of(
    'cycles',
    'measured',
    'instructions',
  )('Of a load from the shared memory of another CTA of the cluster.'),
  globalLoadNanoseconds: of('ns', 'measured', 'instructions')('Of a load from the L2.'),

  // Instructions of kernels read from PTX, which are timed one by one.
  ...BUILT_PARAMETERS,

  // Other styles of waiting: a lane, a warp or a warpgroup in the loop of CUTLASS.
  laneWaitCycles: style('From reaching a wait to its first poll, as a single lane.'),
  laneWakeCycles: style('From the poll that passes to the next instruction, as a single lane.'),
  lanePollCycles: style('Between two polls of a single lane.'),
  warpWaitCycles: style('From reaching a wait to its test, as a whole warp.'),
  warpWakeCycles: style('From the completed phase to the next instruction, as a whole warp.'),
  laneElectCycles: style('Of an arrive of one lane of a loop that its warp shares.'),
  warpElectCycles: style('Of an arrive of one elected lane, for which its warp meets.'),
  groupElectCycles: style('Of an arrive of one elected lane, for which several warps meet.'),
  groupWaitCycles: style('From reaching a wait to its test, as several warps.'),
  groupWakeCycles: style('From the completed phase to the next instruction, as several warps.'),

  // The copy engine of an SM.
  linkBytesPerCycle: of('bytes/cycle', 'fitted', 'micro', ...rings)('Of the copies into one SM.'),
  tensorExpectCycles: of(
    'cycles',
    'fitted',
    'tensormap',
  )('Of an arrive that expects bytes of tensor-map copies, beyond one for bulk copies.'),
  tensorIssueCycles: of(
    'cycles',
    'fitted',
    'tensormap',
  )('That a role spends on issuing a tensor-map copy, beyond a bulk copy.'),
  tensorL2Nanoseconds: of(
    'ns',
    'fitted',
    'tensormap',
  )('Latency of a tensor-map copy from the L2, beyond a bulk copy.'),
  tensorHbmNanoseconds: of('ns', 'fitted', 'tensormap')('The same for data in HBM.'),
  threadCopyCycles: of(
    'cycles',
    'fitted',
    'cp_async',
  )('Of each cp.async of a thread, 16 bytes, which all threads of the role issue together.'),
  threadIssueCycles: of(
    'cycles',
    'fitted',
    'cp_async',
  )('That a role spends on a copy by its threads beyond these, with its arrival.'),
  threadLatencyNanoseconds: of(
    'ns',
    'fitted',
    'cp_async',
  )('Latency of a copy by threads beyond a bulk copy.'),
  storeCycles: of('cycles', 'measured', 'probe_store')('Of a bulk store, beyond its bytes.'),
  storeBytesPerCycle: of('bytes/cycle', 'measured', 'probe_store')('Of bulk stores of one SM.'),
  storeDoneCycles: of(
    'cycles',
    'measured',
    'probe_store',
  )('From a bulk store having read its source to its end.'),
  storesBytesPerNanosecond: of('bytes/ns', 'measured', 'probe_store')('Of all stores together.'),
  writeBackShare: of(
    '1',
    'fitted',
    'store',
  )('The bandwidth of HBM that a stored byte takes, once stores have filled the L2.'),

  // Other CTAs of a cluster.
  remoteArriveCycles: of(
    'cycles',
    'measured',
    'probe_store',
  )('By how much an arrive at a barrier of another CTA is visible there later than at its own.'),
  groups: of('groups', 'shared')('Groups of SMs (GPCs), each of which has one pipe to the L2.'),
  groupBytesPerNanosecond: of(
    'bytes/ns',
    'measured',
    'groups',
  )('Of the copies into all SMs of one group: each byte for each SM that receives it.'),
  remoteHoldCycles: of(
    'cycles',
    'fitted',
    'multicast',
  )('Of a role that has arrived at a barrier of another CTA, until its next operation.'),
  remoteQueueNanoseconds: of(
    'ns',
    'shared',
  )(
    'Queueing of such an arrival in the memory by the load ρ, on each of two ways: q·ρ / (1 − κρ).',
  ),
  remoteFlushCycles: of(
    'cycles',
    'fitted',
    'multicast',
  )('How long such a role is held after the copies into its SM have arrived.'),
  multicastCycles: of(
    'cycles',
    'fitted',
    'multicast',
  )('Latency of a multicast copy beyond a copy to one CTA.'),

  remoteCopyCycles: of(
    'cycles',
    'measured',
    'dsmem',
  )('From issuing a bulk copy into the memory of another CTA to its first byte there.'),
  remoteCopyBytesPerCycle: of('bytes/cycle', 'measured', 'dsmem')('Of such copies of one SM.'),

  // Memory, which all SMs share.
  l2LatencyNanoseconds: memory('From issuing a copy to its first byte, on an idle memory.'),
  hbmLatencyNanoseconds: memory('The same for data in HBM.'),
  mmaHbmLatencyNanoseconds: of(
    'ns',
    'fitted',
    'tensor_core',
  )('The same for data in HBM, for kernels with tensor-core work.'),
  mmaSpreadFactor: of(
    '1',
    'fitted',
    'tensor_core',
  )('By how much their latencies from HBM vary more.'),
  dirtyShare: of('1', 'fitted', ...rings)('The share of the L2 that is dirty after a flush.'),
  hbmSpreadNanoseconds: memory('Spread of the latencies of the lines of a copy.'),
  l2BytesPerNanosecond: rate('Total bandwidth of all SMs.'),
  hbmBytesPerNanosecond: rate('The same for HBM.'),
  l2QueueNanoseconds: memory('Queueing behind other SMs by the load ρ: q·ρ / (1 − κρ).'),
  hbmQueueNanoseconds: memory('The same for HBM.'),
  l2GapNanoseconds: memory(
    'Banks are idle for so long in each round trip of what an SM has in flight.',
  ),
  hbmGapNanoseconds: memory('The same for HBM.'),
  queueSteepness: of('1', 'fitted', ...rings)('The factor κ of the queueing formula.'),
  loadNanoseconds: memory('The time constant of the average of the load.'),
  burstNanoseconds: memory('How far an SM may exceed its share of the bandwidth in a burst.'),

  // The tensor core of an SM.
  mmaIssueCycles: tensor('That a role spends on issuing one instruction.'),
  mmaIssueShare: of(
    '1',
    'fitted',
    'tensor_core',
  )('The share of the work of an instruction for which its issue holds the role.'),
  mmaCopyCycles: of(
    'cycles',
    'fitted',
    'tensor_core',
  )('How much longer the issue of a copy holds a role once the tensor core works.'),
  mmaPipelinedCycles: of(
    'cycles',
    'fitted',
    'tensor_core',
    'probe_mm',
  )('Of a wait that leaves groups of the tensor core in flight.'),
  mmaQueueCycles: of(
    'cycles',
    'fitted',
    'tensor_core',
  )('The most work of one role in the queue of the tensor core when it issues more.'),
  mmaStartCycles: tensor('From the issue of an instruction to its start on an idle core.'),
  mmaDrainCycles: tensor('From the end of the work to the next instruction of the waiting role.'),
  mmaOverheadCycles: tensor('Of an instruction beyond its work.'),
  mmaFlopsPerCycle: sheet('operations/cycle')('Of dense 16-bit work of one SM; 8-bit: twice.'),
  mmaDefaultCycles: of('cycles', 'shared')('The work of an instruction that specifies none.'),
} as const satisfies Readonly<Record<string, ParameterInfo>>;

/** The name of a parameter of a GPU model. */
export type ParameterName = keyof typeof PARAMETERS;

/** The names of all parameters. */
export const PARAMETER_NAMES = Object.keys(PARAMETERS) as readonly ParameterName[];
