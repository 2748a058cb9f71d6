// Copies of a PTX text without some of its instructions, and with delays at random.

const DELAYED =
  /^(ld|st|atom|red)\.(shared|volatile\.shared)|^(bar|barrier)\.|^mbarrier\.|^cp\.(async|reduce)|^(ld|st)\.global|^fence\.|^ldmatrix|^stmatrix/;

/** Where an instruction stands in a text: from its guard to its semicolon. */
function spanOf(text, starts, { line, column }) {
  const opcode = starts[line - 1] + column - 1;
  const before = text.slice(starts[line - 1], opcode);
  const guard = /@!?[%\w]+\s*$/.exec(before);
  return {
    from: opcode - (guard?.[0].length ?? 0),
    opcode,
    to: text.indexOf(';', opcode) + 1,
  };
}

function startsOf(text) {
  const starts = [0];
  for (const line of text.split('\n')) starts.push(starts.at(-1) + line.length + 1);
  return starts;
}

/** What stands for an instruction that is left out. */
function without(text, { from, opcode, to }) {
  const statement = text.slice(opcode, to);
  if (!/^mbarrier\.(try|test)_wait/.test(statement)) return '';
  const [, predicate] = /\s([%\w]+),/.exec(statement);
  return `${text.slice(from, opcode)}setp.eq.u32 ${predicate}, 0, 0;`;
}

let labels = 0;

/**
 * A delay of a warp, or of each lane: one execution in `odds` sleeps up to `2^bits` ns. The seed is
 * a word of the module.
 */
function delay(site, { odds, bits, isOfLanes }) {
  const id = `pld${labels++}`;
  return `{ .reg .b32 a, b; .reg .pred p, q;
ld.global.u32 a, [poundlock_seed]; setp.eq.u32 q, a, 0; @q bra ${id};
mov.u32 b, %${isOfLanes ? 'laneid' : 'warpid'}; mad.lo.u32 a, b, 0x9E3779B1, a;
mov.u32 b, %ctaid.x; mad.lo.u32 a, b, 0x7FEB352D, a;
mov.u32 b, %clock; shr.u32 b, b, 9; add.u32 a, a, b;
add.u32 a, a, ${((site * 0x85ebca6b) >>> 0) % 0x7fffffff};
shr.u32 b, a, 16; xor.b32 a, a, b; mul.lo.u32 a, a, 0x21F0AAAD; shr.u32 b, a, 15; xor.b32 a, a, b;
mul.lo.u32 a, a, 0x735A2D97; shr.u32 b, a, 15; xor.b32 a, a, b;
and.b32 b, a, ${odds - 1}; setp.ne.u32 p, b, 0; @p bra ${id};
shr.u32 b, a, ${32 - bits}; nanosleep.u32 b;
${id}: }
`;
}

/** The text of one kernel alone, with the declarations of the module and without line tables. */
export function kernelAlone(text, entry) {
  const lines = text.split('\n');
  const first = lines.findIndex((line) =>
    /^\.?(visible )?\.?(weak )?\.?entry|^\.visible \.entry|^\.entry/.test(line),
  );
  const start = lines.findIndex(
    (line) => /\.entry\s/.test(line) && new RegExp(`\\b${entry}\\b|\\s${entry}\\(`).test(line),
  );
  let end = start;
  // Inline assembly has braces of its own.
  for (let depth = 0, isOpen = false; !isOpen || depth > 0; end++)
    for (const brace of lines[end].replace(/\/\/.*/, '').match(/[{}]/g) ?? []) {
      depth += brace === '{' ? 1 : -1;
      isOpen = true;
    }
  end--;
  const head = lines.slice(0, first).filter((line) => !/^\s*\/\//.test(line));
  // Shared variables of the module may stand between kernels.
  const between = lines
    .slice(first)
    .filter(
      (line) =>
        /^\.(extern |visible )?\.?(shared|global|const)\b/.test(line) ||
        line.startsWith('.extern .shared'),
    );
  return {
    head: [...head, ...between, '.visible .global .align 4 .u32 poundlock_seed;'].join('\n'),
    first: start,
    last: end,
  };
}

/**
 * A copy of a kernel.
 *
 * @param deleted Places `{ line, column }` of instructions that are left out.
 * @param weakened Places with the number of groups that stay open.
 * @param delays `null`: no delays; else how they are at most instructions, and at those left out.
 */
export function variant(text, entry, instructions, { deleted = [], weakened = [], delays = null }) {
  const starts = startsOf(text);
  const { head, first, last } = kernelAlone(text, entry);
  const keyOf = ({ line, column }) => `${line}:${column}`;
  const gone = new Set(deleted.map(keyOf));
  const weak = new Map(weakened.map((one) => [keyOf(one), one.open]));
  const edits = [];
  let site = 0;
  for (const instruction of instructions) {
    const { line, opcode } = instruction;
    if (line <= first || line > last + 1) continue;
    const span = spanOf(text, starts, instruction);
    const key = keyOf(instruction);
    site++;
    const before =
      delays === null || !(DELAYED.test(opcode) || gone.has(key))
        ? ''
        : delay(site, gone.has(key) ? delays.gone : delays.other);
    if (gone.has(key)) edits.push({ ...span, text: before + without(text, span) });
    else if (weak.has(key)) edits.push({ ...span, text: `${before}${opcode} ${weak.get(key)};` });
    else if (before !== '') edits.push({ from: span.from, to: span.from, text: before });
  }
  const edited = edits.filter(({ opcode }) => opcode !== undefined).length;
  if (edited < gone.size + weak.size) throw new Error('an instruction is outside of the kernel');
  edits.sort((a, b) => b.from - a.from);
  const [from, to] = [starts[first], starts[last + 1]];
  let body = text.slice(from, to);
  for (const edit of edits)
    body = body.slice(0, edit.from - from) + edit.text + body.slice(edit.to - from);
  return `${head}\n${body}\n`.replaceAll(/^\s*\.loc\b.*$/gm, '');
}
