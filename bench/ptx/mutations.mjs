// Mutants of a PTX text that differ from it in one synchronizing instruction.

/** The ways to change an instruction: which ones they fit, and the text that stands there instead. */
const MUTATIONS = [
  {
    name: 'deleted',
    fits: /^(mbarrier\.(init|arrive|expect_tx)|tcgen05\.commit|cp\.async\.bulk\.(tensor|shared))/,
    change: () => '',
  },
  {
    name: 'deleted',
    fits: /^(bar|barrier)\.|\.(wait_group|commit_group)|^tcgen05\.wait|^wgmma\.fence|^fence|^setmaxnreg/,
    change: () => '',
  },
  {
    name: 'twice',
    fits: /^mbarrier\.arrive\.(?!expect_tx)|^tcgen05\.commit|^(bar|barrier)\.(cta\.)?(sync|arrive)\b/,
    change: (statement) => `${statement} ${statement}`,
  },
  {
    name: 'expects 16 bytes more',
    fits: /^mbarrier\.(arrive\.)?expect_tx/,
    change: (statement) => withAdded(statement, 16),
  },
  {
    name: 'expects 16 bytes less',
    fits: /^mbarrier\.(arrive\.)?expect_tx/,
    change: (statement) => withAdded(statement, -16),
  },
  {
    name: 'counts one more',
    fits: /^mbarrier\.init/,
    change: (statement) => withAdded(statement, 1),
  },
  {
    name: 'answers yes',
    fits: /^mbarrier\.(try|test)_wait/,
    change: (statement) => {
      const [, predicate] = /\s([%\w]+),/.exec(statement);
      return `setp.eq.u32 ${predicate}, 0, 0;`;
    },
  },
  {
    name: 'relaxed',
    fits: /^mbarrier\.(arrive|try_wait|test_wait)(?!.*\.(relaxed|noComplete|drop))/,
    change: relaxed,
  },
  {
    name: 'relaxed',
    fits: /^barrier\.cluster\.arrive(?!.*\.relaxed)/,
    change: (statement) => statement.replace(/\.arrive(\.release)?/, '.arrive.relaxed'),
  },
  {
    name: 'for its CTA alone',
    fits: /^(mbarrier|fence\.(acq_rel|release|acquire|sc))\b.*\.(cluster|gpu|sys)/,
    change: (statement) => statement.replace(/\.(cluster|gpu|sys)/, '.cta'),
  },
  {
    name: 'other parity',
    fits: /^mbarrier\.(try|test)_wait\.parity/,
    change: (statement) => {
      const [, before, parity] = /^(.*\],\s*)([%\w]+)\s*;$/s.exec(statement);
      return `xor.b32 %mutated, ${parity}, 1; ${before}%mutated;`;
    },
  },
];

/** A barrier operation that orders turns alone: `mbarrier.arrive.relaxed.cta`. */
function relaxed(statement) {
  const named = /\.(release|acquire)\.(cta|cluster)/;
  if (named.test(statement)) return statement.replace(named, '.relaxed.$2');
  return statement.replace(/\.(shared(::cta|::cluster)?\.b64)/, '.relaxed.cta.$1');
}

/** A statement whose last operand is larger by a number. */
function withAdded(statement, amount) {
  const [, before, last] = /^(.*,\s*)([%\w]+)\s*;$/s.exec(statement);
  return `add.s32 %mutated, ${last}, ${amount}; ${before}%mutated;`;
}

/**
 * The mutants of a kernel.
 *
 * @param text The PTX text.
 * @param instructions The instructions of the kernel that a run reaches.
 * @returns Each with its name, the instruction, and its text.
 */
export function mutantsOf(text, instructions) {
  const lines = text.split('\n');
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1) + line.length + 1);
  return instructions.flatMap((instruction) => {
    const { opcode, line, column, guard } = instruction;
    const from = starts[line - 1] + column - 1;
    const end = text.indexOf(';', from) + 1;
    // A guard stands before the opcode, and stays.
    const first = text.indexOf(opcode, from);
    const statement = text.slice(first, end);
    return MUTATIONS.filter(({ fits }) => fits.test(opcode)).flatMap(({ name, change }) => {
      // A guarded instruction is changed as a whole, not in a part that has no guard.
      const replaced = change(statement);
      if (guard !== null && replaced !== '') return [];
      const start = guard === null ? first : text.lastIndexOf('@', first);
      const changed = text.slice(0, start) + replaced + text.slice(end);
      return [{ name, instruction, text: declared(changed) }];
    });
  });
}

/** Declares the register of a mutation at the start of each kernel. */
function declared(text) {
  return text.replaceAll(/^\{$/gm, '{\n.reg .b32 %mutated;');
}
