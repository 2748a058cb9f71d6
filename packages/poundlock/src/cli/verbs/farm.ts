// `poundlock farm status`: the jobs and workers of a farm, as a table or as a page.
import { ExitCode } from '../exit-code.ts';
import type { Host } from '@poundlock/core/internal/host';
import { InputError } from '@poundlock/core/internal/base';
import { openFarm } from '../farm/open-farm.ts';
import { serveStatus } from '../farm/status-page.ts';
import { statusText } from '../farm/status-text.ts';
import { readCount } from '../options/amount.ts';
import type { Verb } from './verb.ts';

interface Options {
  readonly farm: string;
  readonly json?: true;
  readonly page?: true;
  readonly port?: string;
}

const EXAMPLES = `
Examples:
  poundlock farm status --farm redis://queue:6379
  poundlock farm status --farm redis://queue:6379 --page    a page that follows it
  poundlock farm clear --farm redis://queue:6379            forgets all jobs of this version`;

async function run(what: string, options: Options, host: Host): Promise<ExitCode> {
  if (what !== 'status' && what !== 'clear')
    throw new InputError(`there is no \`poundlock farm ${what}\`: there are status and clear`);
  const farm = await openFarm(options.farm);
  try {
    if (what === 'clear') await farm.clear();
    else if (options.page === true) {
      const port = options.port === undefined ? 0 : readCount('--port', options.port, 0);
      await serveStatus(() => farm.status(), port, host);
    } else {
      const status = await farm.status();
      const text = options.json === true ? `${JSON.stringify(status, null, 2)}\n` : null;
      host.stdout.write(text ?? statusText(status, Date.now()));
    }
  } finally {
    await farm.close();
  }
  return ExitCode.clean;
}

export const farmVerb: Verb = (command, host, done) => {
  command
    .argument('<WHAT>', 'status, or clear')
    .requiredOption('--farm <URL>', 'redis://host:6379, or postgres://user@host/database')
    .option('--json', 'write a JSON document')
    .option('--page', 'serve a page on this machine that follows the farm')
    .option('--port <N>', 'the port of the page (default: any)')
    .addHelpText('after', EXAMPLES)
    .action(async (what: string, options: Options) => done(await run(what, options, host)));
};
