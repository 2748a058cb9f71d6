// A page of the site: its text as Markdown, and what Starlight wants to know of it.
import { REPOSITORY } from './repository.ts';
import { withTerminals } from './console.ts';
import { withSiteLinks } from './links.ts';
import { withPlayground } from './programs.ts';

/** A page before it is written. */
export interface Page {
  /** Without slashes at its ends; empty for the front page. */
  readonly address: string;
  readonly title: string;
  readonly body: string;
  /** One sentence for search engines. */
  readonly description?: string;
  /** The file that it shows, for the link that edits it. */
  readonly source?: string;
  /** Further front matter. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A Markdown file of the repository as a page. */
export function pageOf(path: string, address: string, text: string): Page {
  const [, heading = '', body = ''] = /^# (.+)\n([\s\S]*)$/.exec(text) ?? [];
  if (heading === '') throw new Error(`${path}: starts with no heading`);
  return {
    address,
    title: plain(heading),
    description: descriptionOf(body),
    source: path,
    body: withTerminals(withPlayground(withSiteLinks(path, body))),
  };
}

/** The text of a heading or sentence without its markup. */
export function plain(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');
}

const MAX_DESCRIPTION = 200;

/** The first paragraph, up to the end of a sentence. */
function descriptionOf(body: string): string {
  const paragraph = body.split(/\n\s*\n/).find((part) => /^[A-Za-z`*[]/.test(part.trim())) ?? '';
  const text = plain(paragraph).replaceAll(/\s+/g, ' ').trim();
  const end = text.slice(0, MAX_DESCRIPTION).lastIndexOf('. ');
  return end > 0 ? text.slice(0, end + 1) : text.slice(0, MAX_DESCRIPTION);
}

/** The file that Starlight reads. JSON is YAML, too. */
export function fileOf({ title, description, source, more, body }: Page): string {
  const editUrl = source === undefined ? false : `${REPOSITORY}/edit/main/${source}`;
  const front = { title, ...(description && { description }), editUrl, ...more };
  const lines = Object.entries(front).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `---\n${lines.join('\n')}\n---\n\n${body.trim()}\n`;
}
