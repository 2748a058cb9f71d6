// What an agent reads on its way from PTX to its fix: the server's words, the tools, two checks.
import { INSTRUCTIONS } from '#src/cli/mcp/serve';
import { answerOf } from '#src/cli/mcp/call';
import { CHECK_CHARACTERS } from '#src/cli/mcp/bounded';
import { listedTools } from '#src/cli/mcp/tools';
import { poundlock } from '../cli/fake-host.ts';

/** The most bytes of a session, with the list of tools. */
export const MAX_BYTES = 6_000;

const bytesOf = (read: unknown): number => Buffer.byteLength(JSON.stringify(read));

/** The bytes of what an agent reads before its first call. */
export const FIRST_BYTES = bytesOf(INSTRUCTIONS) + bytesOf({ tools: listedTools() });

/** An answer of the tool `check`. */
export interface Read {
  readonly code: number;
  readonly text: string;
  readonly bytes: number;
}

/** The answer to `check` of a file in a folder, as the server gives it: in this process. */
export async function checkAnswer(folder: string, words: readonly string[]): Promise<Read> {
  const { code, stdout, stderr } = await poundlock(folder, ['check', ...words]);
  const printed = [stderr, stdout].map((text) => text.trimEnd()).filter(Boolean);
  const answer = answerOf('check', code, printed.join('\n'), CHECK_CHARACTERS);
  const [content] = answer.content;
  const text = content?.type === 'text' ? content.text : '';
  return { code, text, bytes: bytesOf(answer) };
}
