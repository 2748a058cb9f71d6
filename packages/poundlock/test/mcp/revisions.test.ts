// tier: deep
// The MCP server speaks the revision of the protocol that its client opens with.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'poundlock.js');
const NEWEST = '2026-07-28';

for (const mode of ['auto', 'legacy'] as const)
  test(`a client that opens in the mode ${mode}`, async (t) => {
    const cwd = mkdtempSync(join(tmpdir(), 'poundlock-mcp-revision-'));
    t.after(() => rmSync(cwd, { recursive: true, force: true }));
    const env = process.env as Record<string, string>;
    const words = { command: process.execPath, args: [BIN, 'mcp'], cwd, env };
    const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport(words));
    try {
      assert.equal(client.getNegotiatedProtocolVersion() === NEWEST, mode === 'auto');
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === 'check'));
      const called = await client.callTool({ name: 'explain', arguments: { rule: 'race' } });
      assert.notEqual(called.isError, true);
    } finally {
      await client.close();
    }
  });
