// Forms of mbarriers, in the notation of ../notation.ts.
export const MBARRIER = `
= mbarrier init: Gives an mbarrier the count of arrivals that ends a phase.
mbarrier.init | [.layout::v0@9.3!sm_90,.layout::v1@9.3!sm_90] [$ss] .b64 | [a]=mbarrier, r32=count
  | 7.0 | sm_80 | modeled
= mbarrier inval: Ends the life of an mbarrier.
mbarrier.inval | [$ss] .b64 | [a]=mbarrier | 7.0 | sm_80 | modeled
= mbarrier expect: Adds bytes that the phase waits for.
mbarrier.expect_tx | [.relaxed $sc2] [$shd] [.multicast::cluster::32b@9.4!sm_107f] .b64 |
  [a]=mbarrier, r32=bytes, r32?.multicast::cluster::32b=multicast | 8.0 | sm_90 | modeled
= mbarrier complete: Takes bytes away that the phase waits for.
mbarrier.complete_tx | [.relaxed $sc2] [$shd] [.multicast::cluster::32b@9.4!sm_107f] .b64 |
  [a]=mbarrier, r32=bytes, r32?.multicast::cluster::32b=multicast | 8.0 | sm_90 | modeled
= mbarrier arrive: Arrives at an mbarrier, perhaps with bytes that the phase waits for.
mbarrier.arrive | [(.release,.relaxed@8.6!sm_90) $sc2] [$ss] .b64 | w64_=result, [a]=mbarrier,
  r32?=count | 7.0 | sm_80 | modeled
mbarrier.arrive | [(.release,.relaxed@8.6!sm_90) $sc2] .shared::cluster@8.0!sm_90
  [.multicast::cluster::32b@9.4!sm_107f] .b64 | _=result, [a]=mbarrier, r32?=count,
  r32?.multicast::cluster::32b=multicast | 8.0 | sm_90 | modeled
mbarrier.arrive.expect_tx | [(.release,.relaxed@8.6) $sc2] [$ss] .b64 | w64_=result, [a]=mbarrier,
  r32=bytes | 8.0 | sm_90 | modeled
mbarrier.arrive.expect_tx | [(.release,.relaxed@8.6) $sc2] .shared::cluster
  [.multicast::cluster::32b@9.4!sm_107f] .b64 | _=result, [a]=mbarrier, r32=bytes,
  r32?.multicast::cluster::32b=multicast | 8.0 | sm_90 | modeled
mbarrier.arrive.noComplete | [.release .cta] [$ss] .b64 | w64_=result, [a]=mbarrier, r32=count |
  7.0 | sm_80 | modeled
= mbarrier arrive drop: Arrives, and leaves the mbarrier: later phases expect fewer arrivals.
mbarrier.arrive_drop | [(.release,.relaxed@8.6!sm_90) $sc2] [$ss] .b64 | w64_=result, [a]=mbarrier,
  r32?=count | 7.0 | sm_80 | modeled
mbarrier.arrive_drop | [(.release,.relaxed@8.6) $sc2] .shared::cluster
  [.multicast::cluster::32b@9.4!sm_107f] .b64 | _=result, [a]=mbarrier, r32?=count,
  r32?.multicast::cluster::32b=multicast | 8.0 | sm_90 | modeled
mbarrier.arrive_drop.expect_tx | [(.release,.relaxed@8.6) $sc2] [$ss] .b64 | w64_=result,
  [a]=mbarrier, r32=bytes | 8.0 | sm_90 | modeled
mbarrier.arrive_drop.expect_tx | [(.release,.relaxed@8.6) $sc2] .shared::cluster
  [.multicast::cluster::32b@9.4!sm_107f] .b64 | _=result, [a]=mbarrier, r32=bytes,
  r32?.multicast::cluster::32b=multicast | 8.0 | sm_90 | modeled
mbarrier.arrive_drop.noComplete | [.release .cta] [$ss] .b64 | w64_=result, [a]=mbarrier, r32=count
  | 7.0 | sm_80 | modeled
= mbarrier test: Asks whether a phase of an mbarrier is complete.
mbarrier.test_wait | [.phase_type::primary@9.3!sm_90] [(.acquire,.relaxed@8.6!sm_90) $sc2] [$ss]
  .b64 | wp|p=result, w8?, [a]=mbarrier, r64=token | 7.0 | sm_80 | modeled
mbarrier.test_wait.parity | [.phase_type::primary@9.3!sm_90, .phase_type::conditional@9.3!sm_90?]
  [(.acquire,.relaxed@8.6!sm_90) $sc2] [$ss] .b64 | wp|p=result, w8?, [a]=mbarrier, r32=token | 7.1
  | sm_80 | modeled
= mbarrier try: Waits a limited time for a phase of an mbarrier.
mbarrier.try_wait | [.phase_type::primary@9.3!sm_90] [(.acquire,.relaxed@8.6!sm_90) $sc2] [$ss]
  .b64 | wp|p=result, w8?, [a]=mbarrier, r64=token, r32? | 7.8 | sm_90 | modeled
mbarrier.try_wait.parity | [.phase_type::primary@9.3!sm_90,.phase_type::conditional@9.3!sm_90?]
  [(.acquire,.relaxed@8.6!sm_90) $sc2] [$ss] .b64 | wp|p=result, w8?, [a]=mbarrier, r32=token, r32?
  | 7.8 | sm_90 | modeled
= mbarrier pending count: Takes the count of pending arrivals out of a state.
mbarrier.pending_count | .b64 | w32, r64 | 7.0 | sm_80 | modeled
= mbarrier check layout: Asks which layout an mbarrier has.
mbarrier.check_layout | (.layout::v0,.layout::v1) .shared::cta .b64 | wp, [a] | 9.3 | sm_90 |
  unmodeled
= mbarrier arrive on copies: Arrives at an mbarrier once the copies of the thread so far are
  complete.
cp.async.mbarrier.arrive | [.noinc] [$ss] .b64 | [a]=mbarrier | 7.0 | sm_80 | modeled
`;
