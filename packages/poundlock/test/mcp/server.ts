// Starts `poundlock mcp` in a folder of its own and connects the SDK's client to it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'poundlock.js');

/** The answer of a tool. */
export interface Answer {
  readonly text: string;
  readonly outcome: string;
  readonly exitCode: number;
  readonly cutLines: number;
  readonly isError: boolean;
}

export interface Connected {
  readonly client: Client;
  readonly folder: string;
  readonly close: () => Promise<void>;
  readonly call: (name: string, input: Readonly<Record<string, unknown>>) => Promise<Answer>;
}

/** A server whose folder has these files. */
export async function connect(files: Readonly<Record<string, string>>): Promise<Connected> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'poundlock-mcp-test-')));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  const env = { ...process.env, SECRET_OF_THE_SERVER: 'secret' } as Record<string, string>;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BIN, 'mcp'],
    cwd: folder,
    env,
  });
  const client = new Client({ name: 'test', version: '0' });
  await client.connect(transport);
  return {
    client,
    folder,
    close: async () => {
      await client.close();
      rmSync(folder, { recursive: true, force: true });
    },
    call: async (name, input) => {
      const result = await client.callTool({ name, arguments: input });
      const [content] = result.content as { text: string }[];
      const structured = result.structuredContent as Omit<Answer, 'text' | 'isError'>;
      return { text: content!.text, ...structured, isError: result.isError === true };
    },
  };
}
