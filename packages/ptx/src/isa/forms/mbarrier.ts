// Forms of mbarriers, in the notation of ../notation.ts.
export const MBARRIER = `
mbarrier.init | [.layout::v0@9.3!sm_90,.layout::v1@9.3!sm_90?] [$ss] .b64 | [a], r32 | 7.0 |
  sm_80 | modeled
mbarrier.inval | [$ss] .b64 | [a] | 7.0 | sm_80 | modeled
mbarrier.expect_tx | [.relaxed $sc2] [$shd] [.multicast::cluster::32b@9.4!sm_107f?] .b64 | [a],
  r32, r32?.multicast::cluster::32b | 8.0 | sm_90 | modeled
mbarrier.complete_tx | [.relaxed $sc2] [$shd] [.multicast::cluster::32b@9.4!sm_107f?] .b64 |
  [a], r32, r32?.multicast::cluster::32b | 8.0 | sm_90 | modeled
mbarrier.arrive | [(.release,.relaxed@8.6!sm_90) $sc2] [$ss] .b64 | w64_, [a], r32? | 7.0 |
  sm_80 | modeled
mbarrier.arrive | [(.release,.relaxed@8.6!sm_90) $sc2] .shared::cluster@8.0!sm_90
  [.multicast::cluster::32b@9.4!sm_107f?] .b64 | _, [a], r32?, r32?.multicast::cluster::32b |
  8.0 | sm_90 | modeled
mbarrier.arrive.expect_tx | [(.release,.relaxed@8.6) $sc2] [$ss] .b64 | w64_, [a], r32 | 8.0 |
  sm_90 | modeled
mbarrier.arrive.expect_tx | [(.release,.relaxed@8.6) $sc2] .shared::cluster
  [.multicast::cluster::32b@9.4!sm_107f?] .b64 | _, [a], r32, r32?.multicast::cluster::32b | 8.0
  | sm_90 | modeled
mbarrier.arrive.noComplete | [.release .cta] [$ss] .b64 | w64_, [a], r32 | 7.0 | sm_80 | modeled
mbarrier.arrive_drop | [(.release,.relaxed@8.6!sm_90) $sc2] [$ss] .b64 | w64_, [a], r32? | 7.0 |
  sm_80 | modeled
mbarrier.arrive_drop | [(.release,.relaxed@8.6) $sc2] .shared::cluster
  [.multicast::cluster::32b@9.4!sm_107f?] .b64 | _, [a], r32?, r32?.multicast::cluster::32b |
  8.0 | sm_90 | modeled
mbarrier.arrive_drop.expect_tx | [(.release,.relaxed@8.6) $sc2] [$ss] .b64 | w64_, [a], r32 |
  8.0 | sm_90 | modeled
mbarrier.arrive_drop.expect_tx | [(.release,.relaxed@8.6) $sc2] .shared::cluster
  [.multicast::cluster::32b@9.4!sm_107f?] .b64 | _, [a], r32, r32?.multicast::cluster::32b | 8.0
  | sm_90 | modeled
mbarrier.arrive_drop.noComplete | [.release .cta] [$ss] .b64 | w64_, [a], r32 | 7.0 | sm_80 |
  modeled
mbarrier.test_wait | [.phase_type::primary@9.3!sm_90?] [(.acquire,.relaxed@8.6!sm_90) $sc2]
  [$ss] .b64 | wp|p, w8?, [a], r64 | 7.0 | sm_80 | modeled
mbarrier.test_wait.parity | [.phase_type::primary@9.3!sm_90?,
  .phase_type::conditional@9.3!sm_90?] [(.acquire,.relaxed@8.6!sm_90) $sc2] [$ss] .b64 | wp|p,
  w8?, [a], r32 | 7.1 | sm_80 | modeled
mbarrier.try_wait | [.phase_type::primary@9.3!sm_90?] [(.acquire,.relaxed@8.6!sm_90) $sc2] [$ss]
  .b64 | wp|p, w8?, [a], r64, r32? | 7.8 | sm_90 | modeled
mbarrier.try_wait.parity | [.phase_type::primary@9.3!sm_90?,.phase_type::conditional@9.3!sm_90?]
  [(.acquire,.relaxed@8.6!sm_90) $sc2] [$ss] .b64 | wp|p, w8?, [a], r32, r32? | 7.8 | sm_90 |
  modeled
mbarrier.pending_count | .b64 | w32, r64 | 7.0 | sm_80 | modeled
mbarrier.check_layout | (.layout::v0,.layout::v1) .shared::cta .b64 | wp, [a] | 9.3 | sm_90 |
  unmodeled
cp.async.mbarrier.arrive | [.noinc] [$ss] .b64 | [a] | 7.0 | sm_80 | modeled
`;
