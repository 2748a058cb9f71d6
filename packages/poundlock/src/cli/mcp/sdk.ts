// What is used of the MCP SDK: the build bundles this module, so that nothing has to be installed.
export { Server } from '@modelcontextprotocol/server';
export { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
export { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
export type { CallToolResult, Tool } from '@modelcontextprotocol/server';
