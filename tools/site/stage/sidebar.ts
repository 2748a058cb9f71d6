// The sidebar: the index of docs/, and the parts of the site that are no pages of docs/.
import { addressOf, hrefOf } from './addresses.ts';
import type { Page } from './page.ts';
import { textOf } from './repository.ts';

export type Item = { readonly label: string; readonly link: string } | Group;

export interface Group {
  readonly label: string;
  readonly items: readonly Item[];
  readonly collapsed?: boolean;
}

const INDEX = 'docs/README.md';

/** The items of the sidebar, in the order of docs/README.md. */
export function sidebarOf(pages: readonly Page[], hasPlayground: boolean): Item[] {
  const titles = new Map(pages.map(({ address, title }) => [address, title]));
  const pageItem = (address: string, label = titles.get(address) ?? address): Item => {
    if (!titles.has(address)) throw new Error(`the sidebar names ${address}, which is no page`);
    return { label, link: hrefOf(address) };
  };
  const below = (folder: string): Item[] => {
    const found = pages.filter(({ address }) => address.startsWith(`${folder}/`));
    return found.map(({ address }) => pageItem(address));
  };
  const sections = sectionsOf(textOf(INDEX)).map(({ heading, files }): Group => {
    const own = files.map((file) => pageItem(addressOf(file)!));
    const more = heading === 'Reference' ? [pageItem('api', 'API of every package')] : [];
    return { label: heading, items: [...own, ...more] };
  });
  return [
    { label: 'Start here', link: '/' },
    ...(hasPlayground ? [{ label: 'Playground', link: '/playground/' }] : []),
    pageItem('gallery'),
    pageItem('rules'),
    pageItem('examples'),
    ...sections,
    {
      label: 'Measurements',
      items: [pageItem('performance', 'Plots'), pageItem('measurements'), ...below('measurements')],
      collapsed: true,
    },
    { label: 'Packages', items: below('packages'), collapsed: true },
    { label: 'Project', items: [pageItem('docs', 'Index'), ...below('project')], collapsed: true },
  ];
}

interface Section {
  readonly heading: string;
  readonly files: readonly string[];
}

/** The headings of the index with the pages in the table of each. */
export function sectionsOf(text: string): Section[] {
  const parts = text.split(/^## /m).slice(1);
  const sections = parts.map((part) => {
    const heading = part.slice(0, part.indexOf('\n'));
    const links = part.matchAll(/^\| \[[^\]]+\]\(([^)]+\.md)\)/gm);
    return { heading, files: [...links].map(([, file = '']) => `docs/${file}`) };
  });
  return sections.filter(({ files }) => files.length > 0);
}
