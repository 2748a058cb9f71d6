// The parameters that only kernels read from PTX need: what their single instructions take.
import type { ParameterInfo } from './parameters.ts';

const measured =
  (...tables: string[]) =>
  (about: string): ParameterInfo => ({ unit: 'cycles', about, origin: 'measured', tables });

const instruction = measured('instructions');
const assumed = (about: string): ParameterInfo => ({
  unit: 'cycles',
  about,
  origin: 'shared',
  tables: [],
});
const rings = (about: string): ParameterInfo => ({
  unit: 'cycles',
  about,
  origin: 'fitted',
  tables: ['two_role', 'styles', 'work'],
});

const throughput =
  (unit: string) =>
  (about: string): ParameterInfo => ({
    unit,
    about,
    origin: 'measured',
    tables: ['throughput'],
  });
const launches =
  (unit: string) =>
  (about: string): ParameterInfo => ({
    unit,
    about,
    origin: 'shared',
    tables: [],
  });

/** What instructions cost; ptxas fuses and deletes some, so that sums are estimates. */
export const BUILT_PARAMETERS = {
  aluCycles: instruction('Of an integer or 32-bit operation, until its result is read.'),
  doubleCycles: instruction('Of one on 64-bit floating point, or on two halves.'),
  specialCycles: instruction('Of an exponential, a logarithm, an approximate reciprocal.'),
  convertCycles: instruction('Of a conversion between integers and floating point.'),
  divideCycles: instruction('Of a rounded division or square root.'),
  integerDivideCycles: instruction('Of a division of integers.'),
  shuffleCycles: instruction('Of a shuffle.'),
  voteCycles: instruction('Of a vote.'),
  reduceCycles: instruction('Of `redux.sync`.'),
  joinCycles: instruction('Of `bar.warp.sync`.'),
  electCycles: instruction('Of `elect.sync`.'),
  predicateCycles: rings('From a comparison to the branch that it decides.'),
  branchCycles: rings('Of a branch that is taken.'),
  clockCycles: rings('From reading a clock to its value.'),
  multiplyCycles: instruction('Of `mma.sync.m16n8k16`, until its result is read.'),
  multiplyIssueCycles: assumed('From one `mma.sync.m16n8k16` of a warp to the next.'),
  vectorLoadCycles: assumed('Of a load of 16 bytes a lane from shared memory.'),
  cachedLoadCycles: assumed('Of a load from the L1.'),
  sharedAtomicCycles: instruction('Of an atomic operation on shared memory.'),
  matrixLoadCycles: assumed('Of `ldmatrix`.'),
  namedBarrierCycles: instruction(
    'From the last thread at a named barrier to the next instruction.',
  ),
  builtCopyCycles: instruction('That a warp spends on issuing a `cp.async`.'),
  builtIssueCycles: measured('micro')(
    'That a lane spends on issuing a copy, without its addresses.',
  ),
  builtWakeCycles: rings('From the poll that passes to the next instruction, in an unrolled loop.'),
  builtLaneWakeCycles: rings('The same of a lane in a loop of one try.'),
  builtWarpWakeCycles: rings('From the completed phase to the next instruction of a whole warp.'),
  nextLaunchNanoseconds: throughput('ns')(
    'From the end of a launch to the first instruction of the next one in a graph.',
  ),
  nextBlockNanoseconds: throughput('ns')('Between two blocks that the GPU begins.'),
  blockBeginCycles: launches('cycles')('From the place of a block to its first instruction.'),
  hbmLoadNanoseconds: launches('ns')('Of a load from HBM, while nothing queues.'),
  linesPerCycle: launches('lines/cycle')('Lines of 128 bytes that the memory unit looks up.'),
  sharedLoadShare: launches('ratio')(
    'What the L2 is asked for of a byte that several blocks load.',
  ),
  neighborShare: {
    ...throughput('ratio')(
      'What the L2 is asked for of a byte that SMs side by side copy at the same time.',
    ),
    tables: ['shared-copies'],
  },
  partialStoreShare: launches('ratio')(
    'What a sector that a store does not fill takes of the L2, against one that it fills.',
  ),
} as const satisfies Readonly<Record<string, ParameterInfo>>;
