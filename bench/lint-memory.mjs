// Peak memory of `poundlock lint` for a project, without TypeScript's process.
// node bench/lint-memory.mjs DIRECTORY: prints the result of lint, and megabytes.
import { processHost } from '../packages/poundlock/dist/cli/process-host.js';
import { main } from '../packages/poundlock/dist/cli/main.js';

await main(['lint', process.argv[2], '--no-cache'], processHost());
// In kilobytes, whatever the platform counts in.
console.log(Math.round((process.resourceUsage().maxRSS * 1024) / 1e6));
