// h200-mutants: a copied ring with protocol bugs that were also run on an NVIDIA H200.
//
// Shows: what `check` says of bugs whose effect on the machine is measured. `mutant` names the bug;
// packages/poundlock/test/conformance/data/mutants.csv has how often each hung or read wrong data:
//   poundlock check examples/models/h200-mutants.ts --cases <that file>
// Unlike m1a, one bulk copy fills a whole stage and several consumers read each tile.
//
//   role         waits for           works on                   signals
//   producer     empty[s] parity p   copies tileBytes into s,   full[s], the bytes of a tile
//                                    spins producerCycles
//   consumer<n>  full[s]  parity p   spins consumerCycles,      empty[s], one of `consumers`
//                                    reads s                    arrivals
import {
  arrive,
  asyncCopy,
  barrier,
  buffer,
  compute,
  kernel,
  read,
  role,
  UNITS,
  waitParity,
} from 'poundlock';

const MUTANTS = [
  'none',
  'consumer_never_releases',
  'producer_initial_parity_wrong',
  'release_before_use',
  'expect_tx_too_large',
  'expect_tx_too_small',
  'consumer_parity_never_flips',
  'consumer_arrives_twice',
  'empty_count_one_too_many',
  'producer_parity_never_flips',
  'producer_skips_acquire_wait',
  'consumer_skips_wait',
];

/** Bulk copies move multiples of 16 bytes. */
const COPY_UNIT_BYTES = 16;

const defaults = {
  mutant: 'none',
  consumers: 1,
  stages: 2,
  tileBytes: 64,
  tiles: 4,
  producerCycles: 0,
  consumerCycles: 0,
};

export default kernel('h200-mutants', defaults, (params) => {
  const { mutant, consumers, stages, tileBytes, tiles, producerCycles, consumerCycles } = params;
  if (!MUTANTS.includes(mutant)) {
    throw new Error(`there is no mutant ${mutant}; there are ${MUTANTS.join(', ')}`);
  }
  const is = (name: string) => mutant === name;
  const ring = Array.from({ length: stages }, (_, s) => s);
  const releases = consumers + (is('empty_count_one_too_many') ? 1 : 0);
  const full = ring.map((s) => barrier(`full[${s}]`));
  const empty = ring.map((s) => barrier(`empty[${s}]`, { count: releases }));
  const tile = ring.map((s) => buffer(`tile[${s}]`));
  const excessBytes =
    (is('expect_tx_too_large') ? COPY_UNIT_BYTES : 0) -
    (is('expect_tx_too_small') ? COPY_UNIT_BYTES : 0);

  const producer = role('producer', function* () {
    let [s, p] = [0, is('producer_initial_parity_wrong') ? 0 : 1];
    for (let t = 0; t < tiles; t++) {
      if (!is('producer_skips_acquire_wait')) yield* waitParity(empty[s]!, p);
      arrive(full[s]!, { bytes: tileBytes + excessBytes });
      asyncCopy(UNITS.tma, { into: [tile[s]!], bar: full[s]!, bytes: tileBytes });
      yield* compute(producerCycles);
      s = (s + 1) % stages;
      if (s === 0 && !is('producer_parity_never_flips')) p = 1 - p;
    }
  });

  const consumer = (n: number) =>
    role(`consumer${n}`, { measured: n === 0 }, function* () {
      let [s, p] = [0, 0];
      for (let t = 0; t < tiles; t++) {
        if (!is('consumer_skips_wait')) yield* waitParity(full[s]!, p);
        if (is('release_before_use')) arrive(empty[s]!);
        yield* compute(consumerCycles);
        read(tile[s]!);
        if (is('consumer_arrives_twice')) arrive(empty[s]!);
        if (!is('consumer_never_releases') && !is('release_before_use')) arrive(empty[s]!);
        s = (s + 1) % stages;
        if (s === 0 && !is('consumer_parity_never_flips')) p = 1 - p;
      }
    });

  return [producer, ...Array.from({ length: consumers }, (_, n) => consumer(n))];
});
