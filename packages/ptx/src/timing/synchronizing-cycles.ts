// What synchronizing instructions cost by themselves, where nothing has to be waited for.

/**
 * Cycles by opcode, the first row that fits: what `bench/ptx/redundancy/costs.cu` measured on an
 * H100 for 128 threads that all execute it at once. The second half of a barrier of a cluster has
 * the cycles of both.
 */
export const SYNCHRONIZING_CYCLES: readonly (readonly [opcode: RegExp, cycles: number])[] = [
  [/^bar\.warp\.sync/, 1],
  [/^(bar|barrier)(\.cta)?\.(sync|arrive)/, 20],
  [/^barrier\.cluster\.arrive/, 0],
  [/^barrier\.cluster\.wait/, 730],
  [/^cp\.async\.bulk\.wait_group\.read/, 4],
  [/^cp\.async\.bulk\.wait_group/, 14],
  [/^cp\.async\.wait_(group|all)/, 4],
  [/^wgmma\.fence/, 9],
  [/^wgmma\.wait_group/, 2],
  [/^fence\.mbarrier_init/, 1],
  [/^fence\.proxy\.async[.:]+shared/, 19],
  [/^fence\.proxy\.async/, 523],
  [/^(fence(\.\w+)?\.cta|membar\.cta)/, 9],
  [/^(fence(\.\w+)?\.(cluster|gpu)|membar\.gl)/, 648],
  [/^(fence(\.\w+)?\.sys|membar\.sys)/, 1384],
];

/** Cycles of a fence; 0 where no figure was measured. */
export function fenceCyclesOf(opcode: string): number {
  return SYNCHRONIZING_CYCLES.find(([pattern]) => pattern.test(opcode))?.[1] ?? 0;
}
