// The resources of the MCP server: the table of PTX instructions, by a word of theirs.
import { isaText } from '../verbs/isa.ts';
import type { Server } from './sdk.ts';

const ALL = 'poundlock://isa';
const MIME_TYPE = 'text/plain';
const DESCRIPTION =
  'Forms of PTX instructions with their modifiers, versions and targets, and whether check ' +
  'models them; at most 2 kB.';

/** Answers requests for resources. */
export function serveResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({
    resources: [
      { uri: ALL, name: 'isa', description: 'Names of all PTX instructions.', mimeType: MIME_TYPE },
    ],
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [
      {
        uriTemplate: `${ALL}/{word}`,
        name: 'isa-word',
        description: DESCRIPTION,
        mimeType: MIME_TYPE,
      },
    ],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const word = uri === ALL ? undefined : wordOf(uri);
    return { contents: [{ uri, mimeType: MIME_TYPE, text: isaText(word) }] };
  });
}

/** The word behind `poundlock://isa/`. */
function wordOf(uri: string): string {
  if (!uri.startsWith(`${ALL}/`)) throw new Error(`no resource ${uri}: it is ${ALL}/WORD`);
  return decodeURIComponent(uri.slice(ALL.length + 1));
}
