// Why a mutant that is certified is harmless, or what the check does not look at yet.

/** Opcodes, the change, the kernel and the source line if not all, and why it survives. */
const REASONS = [
  {
    opcodes: /^fence/,
    why: 'no rule is about fences yet, and the verdict says what it assumes of proxies',
  },
  { opcodes: /^wgmma\.fence/, why: 'it orders registers, which are not modeled' },
  { opcodes: /^bar\.sync/, name: 'twice', why: 'a second barrier in a row changes nothing' },
  {
    opcodes: /^tcgen05\.wait::ld/,
    why: 'a later one waits for all loads, and the registers of this load are not modeled',
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
