// The MCP server over stdin and stdout: lists the tools, and calls one after the other.
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Server, serveStdio, StdioServerTransport } from './sdk.ts';
import { callTool } from './call.ts';
import { serveResources } from './resources.ts';
import { listedTools } from './tools.ts';

/** What an agent reads once, before the list of tools. */
export const INSTRUCTIONS =
  'From a hang to its fix: `check` the PTX file, change the line that it names, compile, `check` ' +
  'again. Only `certified` is a proof; `inconclusive` says nothing about correctness.';

/** Serves until the client goes: in the revision of the protocol that it opens with. */
export async function serveTools(root: string, version: string): Promise<void> {
  // Each call takes a processor, and gigabytes if it must.
  let turn: Promise<unknown> = Promise.resolve();
  const ending = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  const makeServer = (): Server => {
    const server = new Server(
      { name: 'poundlock', version },
      { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
    );
    serveResources(server);
    server.setRequestHandler('tools/list', () => ({ tools: listedTools() }));
    server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
      const signal = AbortSignal.any([mcpReq.signal, ending.signal]);
      const result = turn.then(() => callTool(params.name, params.arguments ?? {}, root, signal));
      turn = result.catch(() => undefined);
      return result;
    });
    // It is no event target.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    server.onclose = resolve;
    return server;
  };
  // At the end of its input the transport ends all calls; those made before it are answered first.
  const input = new PassThrough();
  process.stdin.pipe(input, { end: false });
  const transport = new StdioServerTransport(input, process.stdout);
  const { close } = serveStdio(makeServer, { transport });
  process.stdin.once('end', resolve);
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.once(name, () => {
      ending.abort();
      resolve();
    });
  }
  await promise;
  // What was read last is called in a later turn.
  await nextTurn();
  await turn;
  // The answer is sent in a later turn than the call ends.
  await nextTurn();
  await close();
}
