// Why a mutant that is certified is harmless, or what the check does not look at yet.

/** Opcodes, the change, the kernel and the source line if not all, and why it survives. */
const REASONS = [
  {
    opcodes: /^fence\.mbarrier_init/,
    kernel: 'coop',
    why: 'the barrier of the cluster releases what is initialized, too',
  },
  {
    opcodes: /^fence\.mbarrier_init/,
    why: 'inside a CTA its barrier makes what is initialized visible (I02)',
  },
  {
    opcodes: /^barrier\.cluster\.arrive/,
    name: 'relaxed',
    why: 'the fence before it releases what is initialized (I03)',
  },
  {
    opcodes: /^fence\.proxy\.async/,
    kernel: '_Z5pipe23CfgPKcmPxPiS3_Pj',
    why: 'a copy needs no proxy fence after the initialization of its barrier (I04)',
  },
  {
    opcodes: /^mbarrier\.arrive\.expect_tx/,
    name: 'relaxed',
    why: 'the arrival is for the copy, whose completion carries the data (S15)',
  },
  {
    opcodes: /^setmaxnreg\.inc/,
    why: 'registers that are left are a warning',
  },
  { opcodes: /^wgmma\.fence/, why: 'it orders registers, which are not modeled' },
  { opcodes: /^bar\.sync/, name: 'twice', why: 'a second barrier in a row changes nothing' },
  {
    opcodes: /^tcgen05\.wait::ld/,
    why: 'a later one waits for all loads, and the registers of this load are not modeled',
  },
  {
    opcodes: /^mbarrier\.(arrive|try_wait)/,
    name: 'relaxed',
    why: 'it gives back what wgmma alone has read, and that its reads are over is enough (K04)',
  },
  {
    opcodes: /^bar\.warp\.sync/,
    kernel: 'blackwell',
    why: 'the load warp is joined again, by a shuffle or for its next tile, before it asks for more',
  },
  {
    opcodes: /^fence\.proxy\.async/,
    kernel: 'blackwell',
    why: 'it orders a read before the next answer is written, as the arrival behind it does (H1)',
  },
  {
    opcodes: /^mbarrier\.try_wait/,
    kernel: 'blackwell',
    why: 'the queue of tiles, which holds one, keeps the accumulators apart as well',
  },
  {
    opcodes: /^mbarrier\.try_wait/,
    kernel: 'coop',
    why: 'of the waits that drain the ring the last one implies the others',
  },
  {
    opcodes: /^bar\.sync/,
    kernel: 'pingpong',
    line: 54,
    why: 'the turn at the tensor cores guards no memory',
  },
  {
    opcodes: /^bar\.sync/,
    kernel: 'pingpong',
    line: 60,
    why: 'all warps meet again at the turn of the next tile',
  },
  {
    opcodes: /^bar\.sync/,
    kernel: '_Z5pipe23CfgPKcmPxPiS3_Pj',
    line: 29,
    why: 'the barrier behind it orders the same accesses',
  },
  {
    opcodes: /^bar\.sync/,
    kernel: '_Z5pipe23CfgPKcmPxPiS3_Pj',
    line: 50,
    why: 'nothing comes after it',
  },
  {
    opcodes: /global\.shared::cta/,
    why: 'a store that is missing makes the result wrong, and no access early',
  },
];

/** The reason why a mutant survives; it throws where none is known. */
export function reasonFor(kernel, name, { opcode, line, location }) {
  const row = REASONS.find(
    (one) =>
      one.opcodes.test(opcode) &&
      (one.name ?? name) === name &&
      (one.kernel ?? kernel) === kernel &&
      (one.line ?? location?.line) === location?.line,
  );
  if (row === undefined)
    throw new Error(`${kernel}: ${opcode} ${name}, line ${line}, survives: why?`);
  return row.why;
}
