// Functions that declare a kernel and its parts.
import { BARRIER, BUFFER, CELL, LAUNCH, POOL } from '../../program/declare.ts';
import { GRID } from '../../program/grids.ts';
import { INTEGER } from '../../program/integer-parameter.ts';
import { KERNEL_OPTIONS } from '../../program/kernel.ts';
import { NAMED_BARRIER, REGISTERS } from '../../program/role-operations.ts';
import { ROLE } from '../../program/role.ts';
import { PIPELINE } from '../ring.ts';
import { NO_NAMES, row } from './entry.ts';

export const DECLARATIONS = {
  kernel: row(
    'kernel(name, defaults, build, options?)',
    'Declares a kernel: its parameters with their defaults, and a function that returns its roles',
    [],
    ['__global__ void', '@cute.kernel', 'fn of enqueue_function'],
    KERNEL_OPTIONS,
  ),
  integer: row(
    'integer(value, options?)',
    'A default that is a whole number, with the values that it may have',
    [],
    NO_NAMES,
    INTEGER,
  ),
  role: row(
    'role(name, options?, body)',
    'Declares threads that do the same: a warp, a warpgroup, a CTA of a cluster',
    [],
    ['WarpCategory', 'if warp_idx == …', 'WarpRole'],
    ROLE,
  ),
  pipeline: row(
    'pipeline(name, options)',
    'Declares a ring of stages with a full and an empty barrier each',
    [],
    ['PipelineTmaAsync<N> …', 'PipelineTmaUmma.create …', 'ProducerConsumerPipeline[N]'],
    PIPELINE,
  ),
  barrier: row(
    'barrier(name, options?)',
    'Declares an mbarrier',
    ['init'],
    ['ClusterBarrier', 'cute.arch.mbarrier_init', 'SharedMemBarrier'],
    BARRIER,
  ),
  buffer: row(
    'buffer(name, options?)',
    'Declares bytes of shared, tensor or global memory, of registers, or a tensor map',
    [],
    ['SharedStorage', 'SmemAllocator.allocate', 'SMemTileType'],
    BUFFER,
  ),
  cell: row(
    'cell(name, initial?, options?)',
    'Declares an integer in memory that is accessed with release and acquire',
    [],
    ['cuda::atomic_ref', '–', 'Atomic'],
    CELL,
  ),
  pool: row(
    'pool(name, options)',
    'Declares tensor memory from which columns are allocated',
    [],
    ['TMEM::Allocator1Sm', 'TmemAllocator', 'TmemAllocation'],
    POOL,
  ),
  count: row(
    'count(total, name?)',
    'Counts the iterations of a loop, so that one proof covers every number',
    ['more'],
    NO_NAMES,
  ),
  launch: row(
    'launch(options)',
    'Says of which size the cluster is, and what else the host decides',
    [],
    ['ClusterLaunchParams', 'kernel().launch(…)', 'enqueue_function'],
    LAUNCH,
  ),
  grid: row(
    'grid(name, options?)',
    'Declares one of several grids, for programmatic dependent launch',
    [],
    NO_NAMES,
    GRID,
  ),
  namedBarrier: row(
    'namedBarrier(name, options)',
    'Gives a named barrier a name for findings',
    [],
    ['NamedBarrier', 'pipeline.NamedBarrier', 'WarpGroupBarrier'],
    NAMED_BARRIER,
  ),
  registers: row(
    'registers(options)',
    'Says how many registers the threads have at the start, for setMaxRegisters',
    [],
    ['__launch_bounds__', '–', '–'],
    REGISTERS,
  ),
};
