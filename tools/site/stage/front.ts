// The front page: from a stranger's first look to a certified kernel, in four steps.
import { ALL_RULES } from '../../../packages/core/src/finding/rule.ts';
import { parseRulePage } from '../../../packages/core/src/finding/rule-page.ts';
import { withTerminals } from './console.ts';
import { shownBy, terminalBlock, withProgram } from './finding.ts';
import { COUNTS } from './gallery.ts';
import { withSiteLinks } from './links.ts';
import type { Page } from './page.ts';
import { playgroundLink } from './playground.ts';
import { textOf } from './repository.ts';

/** The rule whose programs are on the page: the race of a stage that is released too early. */
const RULE = 'packages/core/rules/race.md';
const FILE = 'gemm.ts';

/** The front page, with what check says of its two programs now. */
export async function frontPage(): Promise<Page> {
  const page = parseRulePage(textOf(RULE));
  const [rejected, fixed] = [named(page.rejected), named(page.fixed)];
  const bug = await withProgram(FILE, rejected, (file) => shownBy(file, [], FILE));
  const proof = await withProgram(FILE, fixed, (file) => shownBy(file, [], FILE));
  const open = playgroundLink(rejected);
  const openFixed = playgroundLink(fixed);
  const body = [
    numbers(),
    '## Two minutes to a certified kernel',
    '<ol class="path">',
    '<li>',
    '### Open this kernel',
    'Two roles share a ring of two stages: one loads tiles with TMA, the other multiplies them on the tensor core. ' +
      'A role is a generator function; `yield*` marks what can block.',
    `\`\`\`ts title="${FILE}"\n${rejected}\n\`\`\``,
    buttonOf(open, 'Open it in the playground', `Save it as \`${FILE}\`.`),
    '</li>\n<li>',
    '### Read the finding',
    open === null
      ? 'Each run on a GPU may be right. `check` looks at all interleavings, and shows one that is not:'
      : 'The playground checks it in your browser. Each run on a GPU may be right; this schedule is not:',
    terminalBlock(`npx poundlock check ${FILE}`, bug.output),
    bug.schedule,
    '</li>\n<li>',
    '### Change two lines',
    'The release must follow the reads: let the tensor core signal the barrier itself.',
    `\`\`\`ts title="${FILE}" ${changesOf(rejected, fixed)}\n${fixed}\n\`\`\``,
    terminalBlock(`npx poundlock check ${FILE}`, proof.output),
    buttonOf(openFixed, 'Open the certified kernel', ''),
    '</li>\n<li>',
    '### Make it yours',
    'Add a stage, a role, an epilogue; change a count, and see what hangs. Then write your own pipeline: ' +
      '[your first kernel](/tutorial/first-kernel/) goes on from here to a proof for every number of tiles, ' +
      'a time on an H200, and CI.',
    '```sh\nnpm install poundlock      # Node 24 or newer; no GPU\nnpx poundlock check gemm.ts\n```',
    '</li>\n</ol>',
    '## Or check the kernel as built',
    'No rewrite, no annotations: the PTX that nvcc, Triton or clang prints. Its launch is inferred, or a file says it.',
    builtPart(),
    '[Your kernel in five minutes](/how-to/ptx/) · [record the kernels of a program](/how-to/record/)',
    '## Where to go',
    CARDS,
  ];
  return {
    address: '',
    title: 'poundlock',
    description:
      'A model checker, performance simulator and runtime for producer/consumer pipelines, such as warp-specialized GPU kernels.',
    body: body.filter((part) => part !== '').join('\n\n'),
    more: { template: 'splash', hero: heroOf(open, bug.schedule), prev: false, next: false },
  };
}

/** The same name for both programs, so that only what matters differs. */
function named(program: string): string {
  return program.replace(/kernel\('[^']*'/, "kernel('gemm'");
}

function heroOf(open: string | null, schedule: string): unknown {
  const [drawing = ''] = /<svg class="space-time narrow[\s\S]*?<\/svg>/.exec(schedule) ?? [];
  const tutorial = { text: 'Your first kernel', link: '/tutorial/first-kernel/' };
  const gallery = { text: 'Bug gallery', link: '/gallery/', variant: 'minimal' };
  const playground = { text: 'Try it in the browser', link: open, variant: 'primary' };
  const others = { ...tutorial, variant: open === null ? 'primary' : 'secondary' };
  return {
    title: 'Will it hang?',
    tagline:
      'poundlock certifies the pipeline of a GPU kernel for every interleaving of its warps, copies and tensor cores, ' +
      'or shows the schedule that deadlocks or races. No GPU needed.',
    image: { html: `<div class="hero-diagram" aria-hidden="true">${drawing}</div>` },
    actions: [...(open === null ? [] : [playground]), others, gallery],
  };
}

function numbers(): string {
  const items = [
    [COUNTS.bugs, 'public bugs reproduced, found and fixed', '/gallery/'],
    [COUNTS.inPtx, 'of them found in the PTX of a kernel', '/gallery/ptx/'],
    [ALL_RULES.length, 'rules, each with a rejected and a fixed program', '/rules/'],
  ] as const;
  const shown = items.map(
    ([count, words, link]) => `<li><a href="${link}"><strong>${count}</strong> ${words}</a></li>`,
  );
  return `<ul class="numbers">${shown.join('')}</ul>`;
}

function buttonOf(link: string | null, text: string, otherwise: string): string {
  return link === null ? otherwise : `<p><a class="button" href="${link}">${text}</a></p>`;
}

/** The lines of the fixed program that the rejected one has not, as marks of a code block. */
function changesOf(rejected: string, fixed: string): string {
  const before = new Set(rejected.split('\n'));
  const lines = fixed.split('\n').flatMap((line, at) => (before.has(line) ? [] : [at + 1]));
  return `ins={${lines.join(',')}}`;
}

/** The output about a kernel as built, from the README, whose tests run it. */
function builtPart(): string {
  const readme = withSiteLinks('README.md', textOf('README.md'));
  const section = readme.split(/^## /m).find((part) => part.startsWith('A CUDA kernel hangs'));
  const blocks = [...(section ?? '').matchAll(/```console\n([\s\S]*?)\n```/g)];
  const [block] = blocks;
  if (block === undefined) throw new Error('README.md: no output about a kernel as built');
  return withTerminals(`\`\`\`console\n${block[1]}\n\`\`\``);
}

const CARDS = `<ul class="cards">
<li><a href="/tutorial/from-cutlass/"><strong>Coming from CUTLASS C++</strong> Its pipeline classes, name by name.</a></li>
<li><a href="/tutorial/from-cute-dsl/"><strong>Coming from CuTe DSL</strong> The same, in Python’s words.</a></li>
<li><a href="/tutorial/from-triton/"><strong>Coming from Triton</strong> Gluon and TLX kernels.</a></li>
<li><a href="/tutorial/from-mojo/"><strong>Coming from Mojo</strong> Structured kernels.</a></li>
<li><a href="/how-to/memory/"><strong>Fences, scopes, proxies</strong> What each access sees, and which fence is missing.</a></li>
<li><a href="/how-to/redundancy/"><strong>Which barriers can go?</strong> Instructions that are proved unnecessary.</a></li>
<li><a href="/how-to/simulate/"><strong>How fast is it?</strong> Cycles and stalls, and what other stages would gain.</a></li>
<li><a href="/how-to/ci/"><strong>In CI and in the editor</strong> Annotations, SARIF, a GitHub action.</a></li>
<li><a href="/explanation/trust/"><strong>How far to trust it</strong> The evidence, with a command for each figure.</a></li>
</ul>`;
