// Results of instructions against those of an H200: hardware.json has what 32 lanes computed from
// numbers that lie at the ends of ranges, each in a kernel of one warp.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { blocksOf } from '../origins/runs.ts';

/** The kinds of registers: words, halves and double words, of bits or of floats. */
type Kind = 'b16' | 'b32' | 'b64' | 'f32' | 'f64';

interface Table {
  /** What the lanes read: `{x}` in the text of an instruction. */
  readonly inputs: Readonly<Record<string, { readonly kind: Kind; readonly values: string[] }>>;
  /** Instructions, which write `D`, and what each lane had then; numbers are hexadecimal. */
  readonly rows: readonly { readonly text: string; readonly kind: Kind; readonly values: string }[];
}

const { inputs, rows } = JSON.parse(
  readFileSync(join(import.meta.dirname, 'hardware.json'), 'utf8'),
) as Table;
const BYTES: Readonly<Record<Kind, number>> = { b16: 2, b32: 4, b64: 8, f32: 4, f64: 8 };
const LANES = 32;
const ROW_BYTES = 8 * LANES;
/** Instructions of one kernel. */
const PART = 100;
/** Where a kernel has its results in shared memory: behind 512 bytes that instructions use. */
const RESULTS = 1024 + 512;

/** A kernel that executes instructions, and stores their results. */
function kernelOf(part: Table['rows']): string {
  const constants = Object.entries(inputs).map(([name, { kind, values }]) => {
    return `.const .align 8 .b${8 * BYTES[kind]} c_${name}[32] = {${values.map((each) => `0x${each}`).join(', ')}};`;
  });
  const loads = Object.entries(inputs).map(
    ([name, { kind }]) => `.reg .${kind} I${name}; mov.u64 %o1, c_${name};
      mad.lo.u64 %o1, %o2, ${BYTES[kind]}, %o1; ld.const.${kind} I${name}, [%o1];`,
  );
  const body = part.map(({ text, kind }, row) => {
    const own = text
      .replaceAll(/\{(\w)\}/g, (whole, name: string) => (name in inputs ? `I${name}` : whole))
      .replaceAll(/\b[DPQR]\b/g, (name) => `${name}${row}`);
    return `.reg .${kind} D${row}; ${own} st.shared.${kind} [%q1+${row * ROW_BYTES}], D${row};`;
  });
  return `.version 8.6\n.target sm_90a\n.address_size 64\n${constants.join('\n')}
.visible .entry k(.param .u64 out) {
.reg .b32 %q<2>; .reg .b64 %o<3>; .reg .b32 T0, T1, S; .reg .b64 V0;
.local .align 8 .b8 loc[16]; .shared .align 16 .b8 scratch[512];
.shared .align 16 .b8 res[${part.length * ROW_BYTES}];
mov.u32 %q0, %tid.x; cvt.u64.u32 %o2, %q0; mov.u32 S, scratch; mad.lo.u32 S, %q0, 16, S;
mov.u32 %q1, res; mad.lo.u32 %q1, %q0, 8, %q1;
${loads.join('\n')}
${body.join('\n')}
ret;
}`;
}

/** What memory has in a lane of a row, hexadecimal; `null`: it is not known. */
function found({ machine }: ReturnType<typeof blocksOf>['runs'][number]) {
  const out = { low: 0, high: 0 };
  return (row: number, lane: number, bytes: number): string | null => {
    if (!machine.memory.load(RESULTS + row * ROW_BYTES + lane * 8, bytes, out)) return null;
    const high = bytes === 8 ? BigInt(out.high >>> 0) << 32n : 0n;
    return (high | BigInt(out.low >>> 0)).toString(16);
  };
}

test(`${rows.length} instructions compute what an H200 computes`, () => {
  let compared = 0;
  for (let from = 0; from < rows.length; from += PART) {
    const part = rows.slice(from, from + PART);
    const launch = { grid: [1, 1, 1], block: [LANES, 1, 1] };
    const [run] = blocksOf(kernelOf(part), launch).runs;
    assert.deepEqual(run!.machine.undecidedReasons, []);
    const at = found(run!);
    for (const [row, { text, kind, values }] of part.entries()) {
      const expected = values.split(' ');
      for (const [lane, value] of expected.entries()) {
        const own = at(row, lane, BYTES[kind]);
        // What is not known decides nothing; a comparison that all lanes left out would show below.
        if (own === null) continue;
        assert.equal(own, value, `${text} in lane ${lane}`);
        compared++;
      }
    }
  }
  assert.ok(compared > 0.95 * LANES * rows.length, `${compared} compared`);
});
