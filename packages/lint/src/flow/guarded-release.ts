// Guarded releases: a release inside `catch`, or after a test of the state, tolerates an earlier
// release.
import { forEachChild, walk } from '../syntax/children.ts';
import type { Expression, Node } from '../syntax/node.ts';
import type { SourceRange } from './state.ts';

/**
 * `dir.close().catch(() => {})`, `try { await dir.close() } catch {}`, and
 * `if (this.state !== CLOSED) this.dir.close()`.
 */
export function isGuarded(place: SourceRange): boolean {
  return around(place).some((node) => {
    switch (node.kind) {
      case 'call':
        return isCaught(node.callee, place);
      case 'try': {
        const isAlone = node.block.statements.length === 1;
        return node.handler !== undefined && isAlone && contains(node.block, place);
      }
      case 'if':
        return contains(node.then, place) && testsThis(node.test);
      default:
        return false;
    }
  });
}

/** `if (!done && !child.killed) child.kill()`: it may end by itself, so that no path has to. */
export function isOwnStateTested(place: SourceRange): boolean {
  const parts = around(place);
  const call = parts.findLast((node) => node.kind === 'call');
  const object = call?.callee.kind === 'member' ? call.callee.object : undefined;
  if (object?.kind !== 'name' || object.variable === undefined) return false;
  const { variable } = object;
  return parts.some((node) => {
    let isTested = false;
    if (node.kind !== 'if' || !contains(node.then, place)) return false;
    walk(node.test, (each) => {
      if (each.kind !== 'member' || each.object.kind !== 'name') return;
      isTested ||= each.object.variable === variable;
    });
    return isTested;
  });
}

function isCaught(callee: Expression, place: SourceRange): boolean {
  return callee.kind === 'member' && callee.name === 'catch' && contains(callee.object, place);
}

function contains(node: Node, { start, end }: SourceRange): boolean {
  return node.start <= start && end <= node.end;
}

/** The nodes around a position, inside its function. */
function around(place: SourceRange): Node[] {
  let found: Node[] = [];
  let at: Node | undefined = place.file.body;
  while (at !== undefined) {
    const inside: Node[] = [];
    forEachChild(at, (child) => {
      if (contains(child, place)) inside.push(child);
    });
    at = inside[0];
    if (at?.kind === 'function') found = [];
    else if (at !== undefined) found.push(at);
  }
  return found;
}

/** A condition on a field of `this`. */
function testsThis(test: Expression): boolean {
  let found = false;
  walk(test, (node) => {
    found ||= node.kind === 'member' && node.object.kind === 'this';
  });
  return found;
}
