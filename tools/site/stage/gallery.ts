// The bug gallery: a page for each public bug of examples/bugs, with what check finds in it.
import { BUGS, type About } from '../../../examples/bugs/about.ts';
import { KERNELS } from '../../../examples/ptx/bugs/about.ts';
import { shownBy, terminalBlock } from './finding.ts';
import { headedOf } from './header.ts';
import { escaped } from '../../../packages/poundlock/src/report/html/text.ts';
import type { Page } from './page.ts';
import { exampleLink, filesLink } from './playground.ts';
import { actionLine, anchorTo } from './programs.ts';
import { exists, textOf } from './repository.ts';

const THREAD = /^https:\/\/github\.com\/\S+$/m;

interface Bug {
  readonly name: string;
  readonly number: number;
  readonly title: string;
  readonly url: string;
  readonly about: About;
  readonly text: string;
}

const ALL: readonly Bug[] = Object.entries(BUGS).map(([name, about]) => {
  const text = textOf(`examples/bugs/${name}.ts`);
  const url = /^\/\/ (https:\/\/github\.com\/\S+)$/m.exec(text)?.[1] ?? '';
  const words = name.slice('000-'.length).replaceAll('-', ' ');
  const title = `${words[0]!.toUpperCase()}${words.slice(1)}`;
  return { name, number: Number(name.slice(0, 3)), title, url, about, text };
});

/** How many bugs the gallery has, and how many of them as kernels that are found in their PTX. */
export const COUNTS = {
  bugs: ALL.length,
  inPtx: ALL.filter(({ name }) => isFoundInPtx(name)).length,
};

function isFoundInPtx(name: string): boolean {
  return name in KERNELS && KERNELS[name]!.awaits === undefined;
}

/** All pages of the gallery; the findings of bugs that are not `chosen` are left out. */
export async function galleryPages(chosen: (at: number) => boolean): Promise<Page[]> {
  const pages: Page[] = [indexPage()];
  for (const at of ALL.keys()) pages.push(await bugPage(at, chosen(at)));
  return pages;
}

function indexPage(): Page {
  const causes = [...new Set(ALL.map(({ about }) => about.cause))];
  const parts = causes.map((cause) => {
    const cards = ALL.filter(({ about }) => about.cause === cause).map(cardOf);
    return `## ${cause[0]!.toUpperCase()}${cause.slice(1)}\n\n<ul class="cards">\n${cards.join('\n')}\n</ul>`;
  });
  const first =
    `${COUNTS.bugs} bugs of warp-specialized and asynchronous GPU kernels, from public threads of the projects that ` +
    `had them. Each is a small program of our own with the mechanism of the bug; \`check\` finds it, and ` +
    `certifies the program with its fix. ${COUNTS.inPtx} of them are found in the [PTX of a CUDA kernel](/gallery/ptx/), too. ` +
    'All in [one table](/gallery/table/).';
  return {
    address: 'gallery',
    title: 'Bug gallery',
    description: `${COUNTS.bugs} public bugs of GPU kernels, reproduced, found and fixed.`,
    body: [first, ...parts].join('\n\n'),
    more: { tableOfContents: { maxHeadingLevel: 2 } },
  };
}

function cardOf({ name, title, number, about, text }: Bug): string {
  const thread = escaped(about.thread).replace('/', '/<wbr>');
  return (
    `<li><a href="/gallery/${name}/"><strong>${escaped(title)}</strong>` +
    `<span>${escaped(firstSentence(headedOf(text).summary))}</span>` +
    `<span class="thread">${number} · ${thread}</span>` +
    `<span class="verdict rejected">${about.rule}</span></a></li>`
  );
}

function firstSentence(text: string): string {
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

async function bugPage(at: number, isShown: boolean): Promise<Page> {
  const bug = ALL[at]!;
  const { name, title, url, about, text } = bug;
  const { about: words, summary, program } = headedOf(text);
  const source = `examples/bugs/${name}.ts`;
  const memory = about.memory === undefined ? [] : ['--memory', about.memory];
  const prose = words.replace(THREAD, '').trim();
  const facts =
    `<p class="facts"><a href="/gallery/">Gallery</a> · bug ${bug.number} · ${about.cause} · ` +
    `<a href="${url}">${escaped(about.thread)}</a> · <a class="verdict rejected" href="/rules/${about.rule}/">${about.rule}</a></p>`;
  const parts = [
    facts,
    prose,
    ...(isShown ? await findingParts(source, memory) : []),
    '## The program',
    `\`\`\`ts title="${source}"\n${program}\n\`\`\``,
    actionLine([
      anchorTo(exampleLink(source)),
      anchorTo(exampleLink(source, { fixed: true }), 'Open it with the fix'),
    ]),
    ...(isShown ? await fixParts(source, memory) : []),
    ...(await cudaParts(name, isShown)),
  ];
  return {
    address: `gallery/${name}`,
    title,
    description: summary,
    source,
    body: parts.join('\n\n'),
    more: { ...neighborsOf(at), tableOfContents: false },
  };
}

async function findingParts(source: string, memory: readonly string[]): Promise<string[]> {
  const { output, schedule } = await shownBy(source, memory);
  const command = ['poundlock check', source, ...memory].join(' ');
  const diagram = schedule === '' ? [] : ['## The schedule', schedule];
  return ['## The finding', terminalBlock(command, output), ...diagram];
}

async function fixParts(source: string, memory: readonly string[]): Promise<string[]> {
  const options = ['--set', 'fixed=true', ...memory];
  const { output } = await shownBy(source, options);
  const command = ['poundlock check', source, ...options].join(' ');
  return ['## The fix', terminalBlock(command, output)];
}

/** The same bug as a CUDA kernel, if there is one. */
async function cudaParts(name: string, isShown: boolean): Promise<string[]> {
  const file = `examples/ptx/bugs/${name}/kernel.cu`;
  const kernel = KERNELS[name];
  if (kernel === undefined || !exists(file)) return [];
  const rule = kernel.differs?.rule ?? BUGS[name]!.rule;
  const why = kernel.differs === undefined ? '' : ` (${kernel.differs.why})`;
  const found =
    kernel.awaits === undefined
      ? `\`poundlock check examples/ptx/bugs/${name}/bug.ptx\` finds [${rule}](/rules/${rule}/)${why} in the PTX that nvcc makes of it for ${kernel.arch}.`
      : `\`check\` does not find it in the PTX yet: ${kernel.awaits}.`;
  return [
    '## As a CUDA kernel',
    `${found} [All kernels as built](/gallery/ptx/).`,
    ...(isShown && kernel.awaits === undefined ? [await builtFinding(name)] : []),
    `\`\`\`cpp title="${file}"\n${textOf(file).trim()}\n\`\`\``,
    actionLine(['bug', 'fix'].map((which) => builtAnchor(name, which))),
  ].filter((part) => part !== '');
}

/** What check finds in the PTX. */
async function builtFinding(name: string): Promise<string> {
  const [file, launch] = ['bug.ptx', 'launch.json'].map(
    (one) => `examples/ptx/bugs/${name}/${one}`,
  );
  const { output } = await shownBy(file!, ['--launch', launch!]);
  return terminalBlock(`poundlock check ${file}`, output);
}

/** A link that opens the PTX of a kernel, with its bug or its fix. */
function builtAnchor(name: string, which: string): string {
  const folder = `examples/ptx/bugs/${name}`;
  const files = [`${folder}/${which}.ptx`, `${folder}/launch.json`];
  const words = which === 'bug' ? 'Open its PTX in playground' : 'Open the PTX of the fix';
  return files.every(exists) ? anchorTo(filesLink(files), words) : '';
}

/** The bugs before and after it, at the end of its page. */
function neighborsOf(at: number): Record<string, unknown> {
  const link = (bug: Bug | undefined): unknown => {
    return bug === undefined ? false : { link: `/gallery/${bug.name}/`, label: bug.title };
  };
  return { prev: link(ALL[at - 1]), next: link(ALL[at + 1]) };
}
