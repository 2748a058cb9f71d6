// `poundlock mcp`: the verbs as tools of an agent (Model Context Protocol).
import { realpathSync } from 'node:fs';
import process from 'node:process';
import { documentation } from '@poundlock/core/internal/base';
import { ExitCode } from '../exit-code.ts';
import { version } from '../version.ts';
import type { Verb } from './verb.ts';

const HELP = `
An agent starts it and uses the Model Context Protocol over stdin and stdout. Tools: check, explain,
simulate, advise, on texts or on files of the working directory. Kernels run in a process that may
not write files, or start processes or threads
(${documentation('how-to/agents.md')}).

Exit code: 0 the client has gone`;

export const mcpVerb: Verb = (command, host, done) => {
  command.addHelpText('after', HELP).action(async () => {
    const { serveTools } = await import('../mcp/serve.ts');
    if (process.stdin.isTTY)
      host.stderr.write('poundlock mcp waits for an agent on stdin; Ctrl-C ends\n');
    await serveTools(realpathSync(host.cwd), version());
    done(ExitCode.clean);
  });
};
