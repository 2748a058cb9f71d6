// A tensor map is rewritten for the next group while a load of two CTAs still reads it.
// Grouped block-scaled GEMM, two CTAs per tile: tensor maps are rewritten when the group changes.
// With groups of very different sizes the example crashed with an illegal address in a TMA load of
// two CTAs, and racecheck named update_tensormap. (Modeled: each CTA has its own map, and the bytes
// of both count on the leader's barrier, so the loader of the peer never sees its loads land.)
// No patch is known. Here the fix is that each loader waits for its copies as a bulk group.
// https://github.com/NVIDIA/cutlass/issues/3165
import {
  arrive,
  asyncCopy,
  asyncUse,
  barrier,
  buffer,
  commit,
  fence,
  kernel,
  role,
  syncCluster,
  UNITS,
  wait,
  waitGroup,
  write,
} from 'poundlock';

const CLUSTER = [0, 1];
const LEADER = 0;
const STAGES = 2;
const BYTES = 16_384;

export default kernel('grouped-2cta', { fixed: false, groups: 2 }, ({ fixed, groups }) => {
  const map = buffer('mapA', { space: 'tensormap' });
  const sA = Array.from({ length: STAGES }, (_, s) => buffer(`sA[${s}]`, { bytes: BYTES }));
  const full = sA.map((_, s) => barrier(`full[${s}]`));
  const empty = sA.map((_, s) => barrier(`empty[${s}]`));
  const acc = buffer('acc', { space: 'tmem' });
  const at = (group: number) => ({ s: group % STAGES, lap: Math.floor(group / STAGES) });

  const load = (cta: number) =>
    role(`load${cta}`, { cta }, function* () {
      for (let group = 0; group < groups; group++) {
        const { s, lap } = at(group);
        if (fixed) yield* waitGroup(UNITS.tma, 0);
        write(map);
        fence('proxy.tensormap', { direction: 'release' });
        fence('proxy.tensormap', { direction: 'acquire', map });
        yield* wait(empty[s]!, lap - 1, { scope: 'cluster' });
        if (cta === LEADER) arrive(full[s]!, { bytes: BYTES * CLUSTER.length });
        const copy = { into: [sA[s]!], map, bar: full[s]!, bytes: BYTES };
        asyncCopy(UNITS.tma, { ...copy, ctaGroup: 2, group: true });
      }
      for (let group = Math.max(groups - STAGES, 0); group < groups; group++) {
        const { s, lap } = at(group);
        yield* wait(empty[s]!, lap, { scope: 'cluster' });
      }
      yield* syncCluster();
    });

  const mma = role('mma', { cta: LEADER }, function* () {
    for (let group = 0; group < groups; group++) {
      const { s, lap } = at(group);
      yield* wait(full[s]!, lap, { scope: 'cluster' });
      asyncUse(UNITS.tcgen05, { reads: [sA[s]!], writes: [acc], ctas: CLUSTER });
      commit(UNITS.tcgen05, empty[s]!, { ctas: CLUSTER });
    }
    yield* syncCluster();
  });

  return [...CLUSTER.map((cta) => load(cta)), mma];
});
