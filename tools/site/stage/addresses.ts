// Which files of the repository are pages of the site, and the address of each.
import { filesLike } from './repository.ts';

/** Pages that are not in a folder with others: the path of a file, and its address. */
const SINGLE: Readonly<Record<string, string>> = {
  'README.md': '',
  'docs/README.md': 'docs',
  'docs/decisions/README.md': 'decisions',
  'ARCHITECTURE.md': 'project/architecture',
  'CONTRIBUTING.md': 'project/contributing',
  'CHANGELOG.md': 'project/changelog',
  'SECURITY.md': 'project/security',
  'bench/results/README.md': 'measurements',
  'bench/h100/README.md': 'measurements/h100',
  'bench/h200/README.md': 'measurements/h200',
  'bench/promela/README.md': 'measurements/promela',
  'examples/bugs/README.md': 'gallery/table',
  'examples/ptx/bugs/README.md': 'gallery/ptx',
  'packages/core/README.md': 'packages/core',
  'packages/dialects/README.md': 'packages/dialects',
  'packages/eslint-plugin/README.md': 'packages/eslint-plugin',
  'packages/lint/README.md': 'packages/lint',
  'packages/ptx/README.md': 'packages/ptx',
  'packages/ring/README.md': 'packages/ring',
  'tools/editors/vscode/README.md': 'packages/vscode',
};

/** Folders of pages: what the address of a file in them is. */
const FOLDERS: readonly (readonly [from: RegExp, to: string])[] = [
  [/^docs\/(.+)\.md$/, '$1'],
  [/^bench\/results\/(.+)\.md$/, 'measurements/$1'],
  [/^packages\/core\/rules\/(.+)\.md$/, 'rules/$1'],
  [/^examples\/bugs\/(\d.+)\.ts$/, 'gallery/$1'],
  [/^examples\/ptx\/bugs\/([^/]+)\/kernel\.cu$/, 'gallery/$1'],
  [/^examples\/(.+)\.ts$/, 'examples/$1'],
];

/** Folders that a link may name, and the page that lists what is in them. */
const LISTED: Readonly<Record<string, string>> = {
  examples: 'examples',
  'examples/broken': 'examples#broken',
  'examples/bugs': 'gallery',
  'examples/cute': 'examples#cute',
  'examples/h200': 'examples#h200',
  'examples/models': 'examples#models',
  'examples/sm100': 'examples#sm100',
  'examples/warnings': 'examples#warnings',
  'examples/whole': 'examples#whole',
};

/** Files that are modules of examples and no programs. */
const NO_PAGES = /^examples\/(?:bugs\/about|ptx\/.+)\.ts$/;

/** The address of the page that a file becomes, without slashes at its ends. */
export function addressOf(path: string): string | undefined {
  const plain = path.replace(/\/$/, '');
  const single = SINGLE[plain] ?? LISTED[plain];
  if (single !== undefined) return single;
  if (NO_PAGES.test(plain)) return undefined;
  for (const [from, to] of FOLDERS) if (from.test(plain)) return plain.replace(from, to);
  return undefined;
}

/** The Markdown files of the repository that become pages as they are. */
export function markdownFiles(): string[] {
  const found = [
    ...filesLike('{docs,bench/results}/**/*.md'),
    ...Object.keys(SINGLE).filter((path) => !path.startsWith('docs/') && path !== 'README.md'),
  ];
  return [...new Set(found)].toSorted();
}

/** The address of a page as a link: `how-to/ptx#sizes` is `/how-to/ptx/#sizes`. */
export function hrefOf(address: string): string {
  const [path = '', anchor] = address.split('#');
  const end = anchor === undefined ? '' : `#${anchor}`;
  return `/${path === '' ? '' : `${path}/`}${end}`;
}
