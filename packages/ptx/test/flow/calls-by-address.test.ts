// Calls through a register: of functions whose address the text takes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReferenceRun } from '#src/steps/run';
import { runText } from '../exec/machine/launch-of.ts';

/** A kernel that calls the address in `%rd0`, behind the functions that it may be that of. */
function calling(body: string, declarations = ''): string {
  const named = (name: string, number: number): string => `.func ${name}(.param .b64 ${name}_p) {
    bar.sync ${number}; ret; }`;
  return `.version 8.0
.target sm_90a
.address_size 64
${named('first', 1)}
${named('second', 2)}
.func (.param .b32 r) third(.param .b64 third_p) { st.param.b32 [r], 3; ret; }
${declarations}
.visible .entry kernel()
{
  .reg .b32 %r<8>; .reg .b64 %rd<8>; .reg .pred %p<4>; .local .align 8 .b8 depot[8];
  ${body}
  {
    .param .b64 param0;
    st.param.b64 [param0], 0;
    proto : .callprototype ()_ (.param .b64 _);
    call %rd0, (param0), proto;
  }
  ret;
}
`;
}

/** Numbers of the named barriers at which the first warp waits. */
function namedOf({ warps }: ReferenceRun): number[] {
  return warps[0]!.steps.flatMap((step) => (step.op === 'named' ? [step.id] : []));
}

test('the function whose address a register holds is called', () => {
  const run = runText(calling('mov.b64 %rd0, second;'));
  assert.deepEqual(run.undecided, []);
  assert.deepEqual(namedOf(run), [2]);
});

test('the address may have been stored, chosen or read from a table', () => {
  const stored = calling(
    'mov.b64 %rd1, second; mov.b64 %rd2, first; st.local.u64 [depot], %rd1; ld.local.u64 %rd0, [depot];',
  );
  assert.deepEqual(namedOf(runText(stored)), [2]);
  const chosen = calling(
    `mov.b64 %rd1, second; mov.b64 %rd2, first; mov.u32 %r0, %ctaid.x; setp.eq.u32 %p0, %r0, 0;
     selp.b64 %rd0, %rd2, %rd1, %p0;`,
  );
  assert.deepEqual(namedOf(runText(chosen)), [1]);
  const table = '.const .align 8 .u64 table[2] = {first, second};';
  const read = runText(calling('ld.const.u64 %rd0, [table+8];', table));
  assert.deepEqual(read.undecided, []);
  assert.deepEqual(namedOf(read), [2]);
});

test('a call by an address that is unknown is undecided, with its line', () => {
  const run = runText(
    calling('mov.b64 %rd1, second; ld.global.u64 %rd0, [slot];', '.global .align 8 .u64 slot;'),
  );
  assert.match(run.undecided[0]?.text ?? '', /unknown/);
  const none = runText(calling('mov.b64 %rd0, third;'));
  assert.match(none.undecided[0]?.text ?? '', /which function it calls is unknown/);
});
