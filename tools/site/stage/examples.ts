// A page for each example: what its header says, the program, what check prints of it.
import { headedOf } from './header.ts';
import type { Page } from './page.ts';
import { exampleLink } from './playground.ts';
import { actionLine, anchorTo } from './programs.ts';
import { exists, filesLike, textOf } from './repository.ts';

interface Group {
  readonly id: string;
  readonly heading: string;
  readonly about: string;
  readonly files: string;
  /** The folder of what check prints of them, in the tests. */
  readonly golden?: string;
}

const GROUPS: readonly Group[] = [
  {
    id: 'pipelines',
    heading: 'Pipelines',
    about: 'Correct kernels, from one ring to three roles and a cluster. All are certified.',
    files: 'examples/*.ts',
    golden: 'examples',
  },
  {
    id: 'broken',
    heading: 'Broken',
    about: 'One bug each, for every rule of `check`.',
    files: 'examples/broken/*.ts',
    golden: 'broken',
  },
  {
    id: 'warnings',
    heading: 'Warnings',
    about: 'One warning each.',
    files: 'examples/warnings/*.ts',
    golden: 'warnings',
  },
  {
    id: 'cute',
    heading: 'CuTe DSL and CUTLASS',
    about: 'In the words of NVIDIA’s libraries: [dialects](/reference/dialects/).',
    files: 'examples/cute/**/*.ts',
  },
  {
    id: 'sm100',
    heading: 'Structured kernels',
    about: 'Modular’s kernels for Blackwell, and suspects in their neighborhood.',
    files: 'examples/sm100/**/*.ts',
    golden: 'suspects',
  },
  {
    id: 'whole',
    heading: 'Whole kernels',
    about: 'Attention, GEMM, chains of rings: what the models of GPUs are tried on.',
    files: 'examples/whole/*.ts',
  },
  {
    id: 'h200',
    heading: 'Measured kernels',
    about: 'The programs that were measured on GPUs: [measurements](/measurements/).',
    files: 'examples/h200/*.ts',
  },
  {
    id: 'models',
    heading: 'Protocols',
    about: 'The protocols of the runtime and of the comparison with SPIN.',
    files: 'examples/models/*.ts',
  },
  {
    id: 'real',
    heading: 'Programs with threads',
    about: 'Programs that hand tiles from worker to worker: [rings](/how-to/ring/).',
    files: 'examples/real/*.ts',
  },
];

/** A page for each example, and their index. */
export function examplePages(): Page[] {
  return [
    indexPage(),
    ...GROUPS.flatMap((group) => filesLike(group.files).map(examplePage(group))),
  ];
}

function indexPage(): Page {
  const parts = GROUPS.map(({ id, heading, about, files }) => {
    const rows = filesLike(files).map((file) => {
      const { summary } = headedOf(textOf(file));
      return `| [${nameOf(file)}](${linkOf(file)}) | ${summary.replaceAll('|', '\\|')} |`;
    });
    return `<a id="${id}"></a>\n\n## ${heading}\n\n${about}\n\n| program | shows |\n|---|---|\n${rows.join('\n')}`;
  });
  return {
    address: 'examples',
    title: 'Examples',
    description: 'Kernels to read, to check and to change.',
    body: [
      'Kernels to read, to check and to change. A page has the program and what `check` prints of it; ' +
        'those that need no other file open in the playground. Public bugs are in the [gallery](/gallery/).',
      ...parts,
    ].join('\n\n'),
    more: { tableOfContents: { maxHeadingLevel: 2 } },
  };
}

function nameOf(file: string): string {
  return file.replace(/^examples\//, '').replace(/\.ts$/, '');
}

function linkOf(file: string): string {
  return `/examples/${nameOf(file)}/`;
}

function examplePage(group: Group): (file: string) => Page {
  return (file) => {
    const text = textOf(file).trim();
    const { about, summary, program } = headedOf(text);
    const command = /^export default /m.test(text) ? `poundlock check ${file}` : '';
    const facts = `<p class="facts"><a href="/examples/#${group.id}">${group.heading}</a> · <code>${file}</code></p>`;
    const parts = [
      facts,
      about,
      `\`\`\`ts title="${file}"\n${program}\n\`\`\``,
      actionLine([anchorTo(exampleLink(file))]),
      ...outputParts(file, group, command),
    ];
    return {
      address: `examples/${nameOf(file)}`,
      title: nameOf(file),
      description: summary,
      source: file,
      body: parts.filter((part) => part !== '').join('\n\n'),
      more: { tableOfContents: false, prev: false, next: false },
    };
  };
}

/** What check prints of it, from the golden files of the tests. */
function outputParts(file: string, { golden }: Group, command: string): string[] {
  const name = /([^/]+)\.ts$/.exec(file)![1]!;
  const path = `packages/poundlock/test/golden/${golden}/${name}.txt`;
  if (golden === undefined || !exists(path)) {
    return command === '' ? [] : ['## Check it', `\`\`\`sh\n${command}\n\`\`\``];
  }
  const output = textOf(path)
    .replaceAll(/, <time>/g, '')
    .trim();
  return [
    '## What check prints',
    `\`\`\`text title="$ poundlock check ${file}"\n${output}\n\`\`\``,
  ];
}
