// Functions that perform operations: on barriers, units, memory and roles.
import * as options from '../../program/operation-options.ts';
import { BY_STRANDS } from '../../program/strands.ts';
import { NO_NAMES, row } from './entry.ts';

export const BARRIERS = {
  init: row(
    'init(bar, count, options?)',
    'Initializes a barrier that was declared with count: 0',
    ['init'],
    ['ClusterBarrier::init', 'cute.arch.mbarrier_init', 'SharedMemBarrier.init'],
    BY_STRANDS,
  ),
  invalidate: row(
    'invalidate(bar, options?)',
    'Ends the lifetime of a barrier',
    ['invalidate'],
    ['ClusterBarrier::invalidate', '–', '–'],
    BY_STRANDS,
  ),
  wait: row(
    'yield* wait(bar, phase, options?)',
    'Blocks until a phase has completed; phase -1 has from the start',
    ['wait'],
    ['ClusterBarrier::wait', 'cute.arch.mbarrier_wait', 'SharedMemBarrier.wait'],
    options.WAIT,
  ),
  waitParity: row(
    'yield* waitParity(bar, bit, options?)',
    'Blocks while the number of completed phases has this parity',
    ['waitParity'],
    ['ClusterBarrier::wait', 'cute.arch.mbarrier_wait', 'SharedMemBarrier.wait'],
    options.WAIT,
  ),
  tryWait: row(
    'yield* tryWait(bar, phase, options?)',
    'Tests once whether a phase has completed; the answer may be false although it has',
    ['tryWait'],
    ['ClusterBarrier::try_wait', 'cute.arch.mbarrier_try_wait', 'SharedMemBarrier.try_wait'],
    options.ACQUIRE,
  ),
  tryWaitParity: row(
    'yield* tryWaitParity(bar, bit, options?)',
    'Tests once whether the parity of the current phase differs',
    ['tryWait'],
    ['ClusterBarrier::try_wait', 'cute.arch.mbarrier_try_wait', 'SharedMemBarrier.try_wait'],
    options.ACQUIRE,
  ),
  arrive: row(
    'arrive(bar, options?)',
    'Arrives at a barrier, with bytes to expect if there are any',
    ['arrive'],
    [
      'ClusterBarrier::arrive, arrive_and_expect_tx',
      'cute.arch.mbarrier_arrive, mbarrier_arrive_and_expect_tx',
      'SharedMemBarrier.arrive, expect_bytes',
    ],
    options.ARRIVE,
  ),
  expectTx: row(
    'expectTx(bar, bytes, options?)',
    'Adds bytes that the current phase expects, without an arrival',
    ['expectTx'],
    ['ClusterTransactionBarrier::expect_transaction', 'cute.arch.mbarrier_expect_tx', '–'],
    options.SIGNAL,
  ),
  completeTx: row(
    'completeTx(bar, bytes, options?)',
    'Counts bytes as arrived, as a copy does when it lands',
    ['completeTx'],
    ['ClusterTransactionBarrier::complete_transaction', '–', '–'],
    options.SIGNAL,
  ),
  arriveDrop: row(
    'arriveDrop(bar, count?, options?)',
    'Arrives, and later phases expect fewer arrivals',
    ['arriveDrop'],
    NO_NAMES,
    BY_STRANDS,
  ),
  syncNamed: row(
    'yield* syncNamed(id, threads, options?)',
    'Arrives at a named barrier and blocks until so many threads have; 0 is __syncthreads()',
    ['syncNamed'],
    ['NamedBarrier::sync', 'cute.arch.barrier', 'named_barrier'],
    options.NAMED,
  ),
  arriveNamed: row(
    'arriveNamed(id, threads, options?)',
    'Arrives at a named barrier without blocking',
    ['arriveNamed'],
    ['NamedBarrier::arrive', 'cute.arch.barrier_arrive', 'named_barrier_arrive'],
    options.NAMED,
  ),
  syncWarp: row(
    'yield* syncWarp(options?)',
    'Joins strands of a role: lanes of a warp, or warps',
    ['syncNamed'],
    ['__syncwarp', 'cute.arch.sync_warp', 'syncwarp', 'bar.warp.sync, barrier.sync'],
    BY_STRANDS,
  ),
  syncCluster: row(
    'yield* syncCluster()',
    'Blocks until all threads of the cluster have come',
    ['syncCluster'],
    ['cute::cluster_sync', 'cute.arch.cluster_arrive and cluster_wait', 'cluster_sync'],
  ),
  arriveCluster: row(
    'arriveCluster(options?)',
    'Arrives at the cluster barrier without blocking',
    ['arriveCluster'],
    [
      'cute::cluster_arrive, cluster_arrive_relaxed',
      'cute.arch.cluster_arrive, cluster_arrive_relaxed',
      'cluster_arrive',
    ],
    options.RELEASE,
  ),
  waitCluster: row(
    'yield* waitCluster(options?)',
    'Blocks until all threads have arrived at the cluster barrier',
    ['waitCluster'],
    ['cute::cluster_wait', 'cute.arch.cluster_wait', 'cluster_wait'],
    options.ACQUIRE,
  ),
};

const COMMIT_GROUP =
  'cute.arch.cp_async_commit_group, cp_async_bulk_commit_group, warpgroup.commit_group';
const WAIT_GROUP = 'cute.arch.cp_async_wait_group, cp_async_bulk_wait_group, warpgroup.wait_group';

export const ASYNCHRONOUS = {
  asyncCopy: row(
    'asyncCopy(unit, options)',
    'Issues a copy or a store, which lands later: it writes buffers, counts bytes on the barrier',
    ['asyncCopy'],
    [
      'copy(tma.with(bar, mask), …), SM90_TMA_STORE',
      'cute.copy(…, tma_bar_ptr=)',
      'tma_op.async_copy, async_store',
      'cp.async.bulk[.tensor], cp.reduce.async.bulk[.tensor], cp.async, st.async',
    ],
    options.COPY,
  ),
  asyncUse: row(
    'asyncUse(unit, options)',
    'Issues work of a unit, which reads and writes its buffers when it completes',
    ['asyncUse'],
    ['cute::gemm', 'cute.gemm', 'mma_op.mma'],
    options.USE,
  ),
  commit: row(
    'commit(unit, bar, options?)',
    'Arrives at the barrier when all earlier work of this role on the unit has completed',
    ['commit'],
    ['umma_arrive', 'tcgen05.commit', 'mma_arrive', 'tcgen05.commit'],
    options.SIGNAL,
  ),
  signalWhenDone: row(
    'signalWhenDone(unit, bar, options?)',
    'Arrives at the barrier when the cp.async copies of this thread have completed',
    ['commit'],
    [
      'cpasync_barrier_arrive, cpasync_barrier_arrive_noinc',
      'cute.arch.cp_async_mbarrier_arrive_noinc',
      'async_copy_arrive',
      'cp.async.mbarrier.arrive[.noinc]',
    ],
    options.SIGNAL_WHEN_DONE,
  ),
  commitGroup: row(
    'commitGroup(unit, options?)',
    'Closes a group of the work that was issued since the last one',
    ['commit'],
    [
      'warpgroup_commit_batch, cp_async_fence, tma_store_arrive',
      COMMIT_GROUP,
      'commit_group, async_copy_commit_group, cp_async_bulk_commit_group',
      'wgmma.commit_group, cp.async.commit_group, cp.async.bulk.commit_group',
    ],
    BY_STRANDS,
  ),
  waitGroup: row(
    'yield* waitGroup(unit, inFlight, options?)',
    'Blocks until at most so many groups of the unit are open',
    ['waitGroup'],
    [
      'warpgroup_wait<N>, cp_async_wait<N>, tma_store_wait<N>',
      WAIT_GROUP,
      'wait_group, async_copy_wait_group, cp_async_bulk_wait_group',
      'wgmma.wait_group, cp.async.wait_group, cp.async.bulk.wait_group[.read]',
    ],
    options.GROUP,
  ),
};

export const MEMORY = {
  read: row(
    'read(buffer, options?)',
    'Reads a buffer by the threads of the role',
    ['read'],
    ['–', '–', '–', 'ld, ldmatrix, tcgen05.ld'],
    options.ACCESS,
  ),
  write: row(
    'write(buffer, options?)',
    'Writes a buffer by the threads of the role',
    ['write'],
    ['–', '–', '–', 'st, stmatrix, tcgen05.st'],
    options.ACCESS,
  ),
  fence: row(
    'fence(kind?, options?)',
    'Orders memory: proxy.async, proxy.tensormap, mbarrier.init, release, acquire, acq_rel, sc, ' +
      'tcgen05.before, tcgen05.after, wgmma',
    ['fence'],
    [
      'fence_view_async_shared, fence_barrier_init, warpgroup_arrive',
      'cute.arch.fence_proxy, mbarrier_init_fence, warpgroup.fence',
      'fence_async_view_proxy, fence_mbarrier_init, tcgen05_fence_after',
      'fence.proxy.async, fence.proxy.tensormap, fence.mbarrier_init, fence.acq_rel, fence.sc, ' +
        'tcgen05.fence, wgmma.fence',
    ],
    options.FENCE,
  ),
  store: row(
    'store(cell, value, options?)',
    'Stores an integer',
    ['store'],
    ['cuda::atomic_ref::store', '–', 'store_release'],
    options.RELEASE,
  ),
  load: row(
    'yield* load(cell, options?)',
    'Loads an integer',
    ['load'],
    ['cuda::atomic_ref::load', '–', 'load_acquire'],
    options.ACQUIRE,
  ),
  fetchAdd: row(
    'yield* fetchAdd(cell, amount, options?)',
    'Adds to an integer and returns the value before',
    ['fetchAdd'],
    ['atomicAdd', 'cute.arch.atomic_add', 'Atomic.fetch_add'],
    options.ACQUIRE,
  ),
  alloc: row(
    'yield* alloc(pool, units)',
    'Allocates columns of tensor memory; blocks while they are not free',
    ['alloc'],
    ['TMEM::Allocator1Sm::allocate', 'cute.arch.alloc_tmem', 'tcgen05_alloc'],
  ),
  free: row(
    'free(buffer)',
    'Returns columns to their pool',
    ['free'],
    ['TMEM::Allocator1Sm::free', 'cute.arch.dealloc_tmem', 'tcgen05_dealloc'],
  ),
  relinquish: row(
    'relinquish(pool)',
    'Gives up the permit to allocate',
    ['relinquish'],
    [
      'TMEM::Allocator1Sm::release_allocation_lock',
      'cute.arch.relinquish_tmem_alloc_permit',
      'tcgen05_release_allocation_lock',
    ],
  ),
};

const LOOP = 'A loop whose state is known, so that check takes equal states once';

export const ROLES = {
  setMaxRegisters: row(
    "yield* setMaxRegisters('dec' | 'inc', perThread, options?)",
    'Gives registers back, or blocks until there are enough',
    ['giveRegisters', 'takeRegisters'],
    [
      'warpgroup_reg_dealloc<N>, warpgroup_reg_alloc<N>',
      'cute.arch.setmaxregister_decrease, setmaxregister_increase',
      'warpgroup_reg_dealloc, warpgroup_reg_alloc',
    ],
    BY_STRANDS,
  ),
  launchDependents: row(
    'launchDependents(options?)',
    'Allows the next grid to begin',
    ['launchDependents'],
    [
      'launch_dependent_grids',
      'cute.arch.griddepcontrol_launch_dependents',
      'launch_dependent_grids',
    ],
    BY_STRANDS,
  ),
  waitGrids: row(
    'yield* waitGrids(options?)',
    'Blocks until the grid before has ended',
    ['waitGrids'],
    ['wait_on_dependent_grids', 'cute.arch.griddepcontrol_wait', 'wait_on_dependent_grids'],
    BY_STRANDS,
  ),
  compute: row(
    'yield* compute(cycles, work?)',
    'Works for so many cycles, for simulate',
    ['compute'],
    NO_NAMES,
  ),
  choose: row(
    'yield* choose(n)',
    'A choice that data makes: check explores each answer from 0 to n - 1',
    ['choose'],
    NO_NAMES,
  ),
  loop: row('yield* loop(state, body)', LOOP, ['loop'], NO_NAMES),
  end: row('return end(result)', 'Ends a loop with a result', [], NO_NAMES),
  spawn: row(
    'spawn(role)',
    'Starts a role that was declared with spawned: true',
    ['spawn'],
    NO_NAMES,
  ),
  join: row('yield* join(role)', 'Blocks until a role has ended', ['join'], NO_NAMES),
  exit: row('exit()', 'Ends the CTA of the role', ['exit'], ['return', 'return', 'return']),
};
