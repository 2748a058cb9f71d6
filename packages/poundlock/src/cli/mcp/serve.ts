// The MCP server over stdin and stdout: lists the tools, and calls one after the other.
import process from 'node:process';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CallToolRequestSchema, ListToolsRequestSchema } from './sdk.ts';
import { Server, StdioServerTransport } from './sdk.ts';
import { callTool } from './call.ts';
import { serveResources } from './resources.ts';
import { listedTools } from './tools.ts';

const INSTRUCTIONS =
  'poundlock proves GPU kernels with full/empty mbarriers free of deadlocks, races and misuse of ' +
  'stages, or shows the failing schedule. From a hang to a finding: `check` with the PTX file ' +
  'and its launch, then `explain` the rule of the first finding, change the line it names, and ' +
  '`check` again. Only `certified` is a proof; `inconclusive` says nothing about correctness.';

/** Serves until the client goes. */
export async function serveTools(root: string, version: string): Promise<void> {
  const server = new Server(
    { name: 'poundlock', version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  );
  serveResources(server);
  // Each call takes a processor, and gigabytes if it must.
  let turn: Promise<unknown> = Promise.resolve();
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listedTools() }));
  const ending = new AbortController();
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const signal = AbortSignal.any([extra.signal, ending.signal]);
    const result = turn.then(() => callTool(params.name, params.arguments ?? {}, root, signal));
    turn = result.catch(() => undefined);
    return result;
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  // It is no event target.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  server.onclose = resolve;
  await server.connect(new StdioServerTransport());
  // The transport does not notice that its input has ended; what was called before is answered.
  process.stdin.once('end', resolve);
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => {
      ending.abort();
      resolve();
    });
  }
  await promise;
  await turn;
  // The answer is sent in a later turn than the call ends.
  await nextTurn();
}
