// `poundlock lsp`: shows the findings of `lint` in an editor while typing.
import process from 'node:process';
import { serve, startThread } from '@poundlock/lint/internal/lsp';
import { version } from '../version.ts';
import type { Verb } from './verb.ts';

const HELP = `
An editor starts it and uses the Language Server Protocol over stdin and stdout. Settings come as
initialization options or as the section \`poundlock\`: { "strict": false, "baseline": "lint.json" }

Exit code: 0 shut down by the client, 1 connection lost, 2 could not run`;

export const lspVerb: Verb = (command, host) => {
  command
    .option('--stdio', 'communicate over stdin and stdout (the only transport)')
    .addHelpText('after', HELP)
    .action(async () => {
      const { stdin, stdout } = process;
      if (stdin.isTTY)
        host.stderr.write('poundlock lsp waits for an editor on stdin; Ctrl-C ends\n');
      serve({ input: stdin, output: stdout, version: version(), cwd: host.cwd, startThread });
      // The server ends the process when its client goes.
      await new Promise(() => {});
    });
};
