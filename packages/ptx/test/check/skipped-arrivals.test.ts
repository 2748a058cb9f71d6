// A hang of a kernel as built shows the arrival that warps go past, and what decided so.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../accepting.ts';
import { ptxKernel } from '#src/kernel/kernel';

/**
 * Warp 0 arrives at `full` and waits for `b` in each of four rounds; warps 1 and 2 wait for `full` and
 * do what a text says.
 */
function textOf(round: string, { count = 2, before = '' } = {}): string {
  return `.version 8.0
.target sm_90a
.address_size 64
.visible .entry k() {
.reg .b32 %i, %t, %w, %l, %ph, %a; .reg .b64 %s; .reg .pred %p, %q, %r, %u;
.shared .align 8 .b64 spare; .shared .align 8 .b64 full; .shared .align 8 .b64 b;
mov.u32 %t, %tid.x; shr.u32 %w, %t, 5; and.b32 %l, %t, 31;
setp.ne.u32 %p, %t, 0; @%p bra READY;
mbarrier.init.shared.b64 [spare], 1; mbarrier.init.shared.b64 [full], 1;
mbarrier.init.shared.b64 [b], ${count};
READY: bar.sync 0;
mov.u32 %i, 0; mov.u32 %a, b;
setp.ne.u32 %q, %l, 0; setp.ne.u32 %p, %w, 0; @%p bra USE;
@%q ret;
LOAD: mbarrier.arrive.shared.b64 %s, [full];
and.b32 %ph, %i, 1;
TRY: mbarrier.try_wait.parity.shared.b64 %p, [b], %ph; @!%p bra TRY;
add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 4; @%p bra LOAD;
ret;
USE:
${before}
ROUND: and.b32 %ph, %i, 1;
FULL: mbarrier.try_wait.parity.shared.b64 %p, [full], %ph; @!%p bra FULL;
${round}
NEXT: add.u32 %i, %i, 1; setp.lt.u32 %p, %i, 4; @%p bra ROUND;
END: ret;
}`;
}

function kernelOf(...text: Parameters<typeof textOf>): ReturnType<typeof ptxKernel> {
  const launch = { grid: [1, 1, 1], block: [96, 1, 1], params: [] };
  return ptxKernel({
    ptx: { file: 'k.ptx', text: textOf(...text) },
    launch: { file: 'k.json', text: JSON.stringify(launch) },
  });
}

const ARRIVE = 'mbarrier.arrive.shared.b64 %s, [%a];';

/** What is skipped: roles, and the beginnings of the lines of branches and of the arrival. */
const CASES: Readonly<
  Record<string, readonly [text: Parameters<typeof textOf>, who: string, branch: RegExp]>
> = {
  'a branch around': [
    [
      `setp.eq.u32 %r, %i, 1; setp.eq.and.u32 %r, %w, 2, %r;\n@%r bra NEXT;\n@%q bra NEXT;\n${ARRIVE}`,
    ],
    'warp2',
    /^@%r bra NEXT;$/,
  ],
  'a return': [
    [`setp.eq.u32 %r, %i, 1; setp.eq.and.u32 %r, %w, 2, %r;\n@%r ret;\n@%q bra NEXT;\n${ARRIVE}`],
    'warp2',
    /^@%r ret;$/,
  ],
  'its predicate': [
    [`setp.ne.u32 %r, %i, 1;\nsetp.eq.u32 %u, %l, 0;\nand.pred %u, %u, %r;\n@%u ${ARRIVE}`],
    'warp1 and warp2',
    /^setp.ne.u32 %r, %i, 1;$/,
  ],
  'a branch before the loop': [
    [`@%q bra NEXT;\n${ARRIVE}`, { before: 'setp.eq.u32 %r, %w, 1;\n@%r bra END;' }],
    'warp1',
    /^@%r bra END;$/,
  ],
  'one thread of each': [
    [`setp.eq.u32 %r, %l, 3;\n@%r bra NEXT;\n${ARRIVE}`, { count: 64 }],
    '1 thread of each of warp1 and warp2',
    /^@%r bra NEXT;$/,
  ],
};

for (const [name, [text, who, branch]] of Object.entries(CASES))
  test(`an arrival is skipped by ${name}`, async () => {
    const kernel = kernelOf(...text);
    const { findings } = await check(kernel);
    const [{ message, labels, helps } = assert.fail('no finding')] = findings;
    const lineAt = (line: number): string => textOf(...text).split('\n')[line - 1]!;
    assert.match(message, / skips? /);
    assert.doesNotMatch(helps.join(), /let the roles that/);
    const skipping = labels.filter((label) => label.text.startsWith(`${who} skip`));
    assert.ok(skipping.length > 0, labels.map((label) => label.text).join('\n'));
    for (const { line } of skipping) assert.match(lineAt(line), branch);
    const arrivals = labels.filter((label) =>
      label.text.startsWith(`the arrival that ${who} skip`),
    );
    assert.ok(arrivals.length > 0);
    for (const { line } of arrivals) assert.match(lineAt(line), /mbarrier\.arrive/);
    // Warp 0 has another part of the text for its own.
    assert.ok(labels.every((label) => !/warp0 (?:may )?skips?/.test(label.text)));
  });

test('of arrivals at several mbarriers those at another one do not count', async () => {
  const spare = 'mbarrier.arrive.shared.b64 %s, [spare];';
  const round = `setp.eq.u32 %r, %i, 9;\n@!%r bra NEXT;\n${spare}`;
  const { findings } = await check(kernelOf(round));
  const texts = [findings[0]!.message, ...findings[0]!.labels.map(({ text }) => text)];
  assert.match(texts[0]!, /never arrive|no role/);
  assert.ok(
    texts.every((text) => !/skip/.test(text)),
    texts.join('\n'),
  );
});
