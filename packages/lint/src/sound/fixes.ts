// Suggestions for what is refused: the tags that are missing, at declarations of the same file.
import type { Refusal } from '../calculus/rules.ts';
import type { Edit, Fix } from '@poundlock/core/internal/finding';
import { walk } from '../syntax/children.ts';
import type { CallExpression, FunctionNode, SourceFile } from '../syntax/node.ts';
import { NO_OWNER, NO_TIMES } from './messages.ts';
import type { SoundProject } from './project.ts';

/** The tags that a refusal asks for; none changes what the program does, but each is a claim. */
export function suggestionsFor(
  project: SoundProject,
  { why, at }: Refusal,
  file: SourceFile,
): Fix[] {
  if (at.file !== file || (why !== NO_OWNER && why !== NO_TIMES)) return [];
  const call = callAt(file, at.start, at.end);
  const fn = call && project.world.statedTarget(call, file).fn;
  if (call === undefined || fn === undefined || fn.file !== file) return [];
  if (why === NO_TIMES) {
    return fn.doc === '' ? [tagged(fn, '@callsNow'), tagged(fn, '@callsLater')] : [];
  }
  const open = openParameters(project, call, fn);
  if (open.length === 0) return [];
  return ['@borrowed', '@owned'].map((tag) => ({
    title: `say \`${tag}\` at ${open.length === 1 ? 'the parameter' : 'the parameters'}`,
    edits: open.map((start): Edit => ({ start, end: start, text: `/** ${tag} */ ` })),
    isSafe: false,
  }));
}

function callAt(file: SourceFile, start: number, end: number): CallExpression | undefined {
  let found: CallExpression | undefined;
  walk(file.body, (node) => {
    if (node.kind === 'call' && node.start <= start && node.end >= end) found = node;
  });
  return found;
}

/** Where the parameters begin that get something with an owner, and of which nothing is said. */
function openParameters(
  project: SoundProject,
  { args }: CallExpression,
  fn: FunctionNode,
): number[] {
  const { types } = project;
  return fn.parameters.flatMap((parameter, index) => {
    const arg = args[index];
    if (arg === undefined || parameter.rest || parameter.doc !== '') return [];
    const kind = types.kind(types.of(arg));
    const mayOwe = kind !== 'primitive' && kind !== 'plain';
    return mayOwe && project.ownerOf(fn, parameter) === undefined ? [parameter.start] : [];
  });
}

function tagged({ start, file: { text } }: FunctionNode, tag: string): Fix {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(line))?.[0] ?? '';
  const edit = { start: line, end: line, text: `${indent}/** ${tag} */\n` };
  return { title: `say \`${tag}\` at the callee`, edits: [edit], isSafe: false };
}
