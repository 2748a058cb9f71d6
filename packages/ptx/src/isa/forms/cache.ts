// Forms of cache hints and policies, in the notation of ../notation.ts.
export const CACHE = `
= hint: Changes what caches hold.
prefetch | [.global,.local] (.L1,.L2) | [a] | 2.0 | sm_70 | harmless
prefetch | .global (.L2::evict_last,.L2::evict_normal) | [a] | 7.4 | sm_80 | harmless
prefetch | [.const,.param] .tensormap | [a] | 8.0 | sm_90 | harmless
prefetch | .L1::32B .valid_addr | [a] | 9.4 | sm_90 | unmodeled
prefetchu | .L1 | [a] | 2.0 | sm_70 | harmless
applypriority | [.global] .L2::evict_normal | [a], i128 | 7.4 | sm_80 | harmless
= opaque: Changes what caches hold, as asynchronous work.
applypriority.async.bulk | .global .bulk_group .L2::evict_normal | [a], r32 | 9.4 | sm_107f |
  unmodeled
applypriority.async.bulk.tensor | ($dim) .bulk_group .L2::evict_normal | [m] | 9.4 | sm_107f |
  unmodeled
= discard: Leaves a line of global memory without a value.
discard | [.global] .L2 | [a], i128 | 7.4 | sm_80 | modeled
= hint: Makes a policy for caches.
createpolicy.range | [.global] (.L2::evict_last,.L2::evict_normal,.L2::evict_first,
  .L2::evict_unchanged) [.L2::evict_first,.L2::evict_unchanged] .b64 | w64, [a], r32, r32 | 7.4
  | sm_80 | harmless
createpolicy.fractional | (.L2::evict_last,.L2::evict_normal,.L2::evict_first,
  .L2::evict_unchanged) [.L2::evict_first,.L2::evict_unchanged] .b64 | w64, rf32? | 7.4 | sm_80
  | harmless
createpolicy.cvt | .L2 .b64 | w64, r64 | 7.4 | sm_80 | harmless
`;
