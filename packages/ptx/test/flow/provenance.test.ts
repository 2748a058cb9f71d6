// Which shared variables an address of unknown value may lie in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Provenance } from '#src/flow/provenance';
import { parsePtx } from '#src/text/parse';
import { kernelText } from '../kernel-text.ts';

const DECLARATIONS = `.reg .pred %p0; .reg .b32 %r<6>; .reg .b64 %rd<2>;
.shared .align 16 .b8 tile[64]; .shared .align 16 .b8 bins[64]; .shared .align 16 .b8 table[64];`;

/** The variables of the address that the last instruction stores to. */
function variables(body: string): string[] | null {
  const { functions } = parsePtx(kernelText(DECLARATIONS, `${body} st.shared.u32 [%r0], 1; ret;`));
  const code = functions.get('kernel')!;
  const { index, operands } = code.instructions.at(-2)!;
  const names = new Provenance(code).variablesOf(operands[0]!, index);
  return names === null ? null : [...names].toSorted();
}

const CASES: readonly (readonly [what: string, body: string, names: string[] | null])[] = [
  [
    'an index that was loaded',
    'ld.shared.u32 %r1, [table]; mov.u32 %r2, tile; add.u32 %r0, %r2, %r1;',
    ['tile'],
  ],
  [
    'an index that the address replaces',
    'ld.shared.u32 %r0, [table]; mov.u32 %r2, tile; add.u32 %r0, %r0, %r2;',
    ['tile'],
  ],
  [
    'either variable',
    'mov.u32 %r1, tile; mov.u32 %r2, bins; selp.b32 %r0, %r1, %r2, %p0;',
    ['bins', 'tile'],
  ],
  ['an address that was loaded', 'ld.shared.u32 %r0, [table];', null],
  [
    'a variable or an address that was loaded',
    'ld.shared.u32 %r1, [table]; mov.u32 %r2, tile; selp.b32 %r0, %r1, %r2, %p0;',
    null,
  ],
  ['the same by a branch', 'mov.u32 %r0, tile; @%p0 bra ON; ld.shared.u32 %r0, [table]; ON:', null],
  [
    'an address that moves on in a loop',
    'mov.u32 %r0, tile; ON: add.u32 %r0, %r0, 4; @%p0 bra ON;',
    ['tile'],
  ],
  [
    'a loaded address that moves on in a loop',
    'ld.shared.u32 %r0, [table]; ON: add.u32 %r0, %r0, 4; @%p0 bra ON;',
    null,
  ],
  [
    'a variable of a CTA whose rank is data',
    'ld.shared.u32 %r1, [table]; mov.u32 %r2, tile; mapa.shared::cluster.u32 %r0, %r2, %r1;',
    ['tile'],
  ],
];

for (const [what, body, names] of CASES)
  test(`${what}: ${names === null ? 'unknown' : names.join(' or ')}`, () => {
    assert.deepEqual(variables(body), names);
  });
