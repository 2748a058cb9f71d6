// The parts of a node, in the order in which they are evaluated.
import type { Node, Statement } from './node.ts';

type Visit = (child: Node) => void;

/** Calls `visit` with every direct part of a node; including the parts of a function. */
export function forEachChild(node: Node, visit: Visit): void {
  const maybe = (child: Node | undefined): void => {
    if (child !== undefined) visit(child);
  };
  switch (node.kind) {
    case 'name':
    case 'literal':
    case 'this':
    case 'super':
    case 'break':
    case 'continue':
      return;
    case 'member':
      visit(node.object);
      return maybe(node.index);
    case 'call':
      visit(node.callee);
      return node.args.forEach(visit);
    case 'object':
      for (const { computed, value } of node.properties) {
        maybe(computed);
        visit(value);
      }
      return;
    case 'array':
      return node.elements.forEach(maybe);
    case 'spread':
    case 'await':
    case 'unary':
      return visit(node.operand);
    case 'yield':
      return maybe(node.operand);
    case 'binary':
    case 'logical':
      visit(node.left);
      return visit(node.right);
    case 'assign':
      visit(node.target);
      return visit(node.value);
    case 'conditional':
      visit(node.test);
      visit(node.then);
      return visit(node.otherwise);
    case 'parts':
      return node.parts.forEach(visit);
    case 'function':
      for (const { target, initializer } of node.parameters) {
        visit(target);
        maybe(initializer);
      }
      return maybe(node.body);
    case 'class':
      node.heritage.forEach(visit);
      for (const { initializer } of node.fields) maybe(initializer);
      node.statics.forEach(visit);
      return node.methods.forEach(visit);
    case 'objectPattern':
      for (const { computed, target, initializer } of node.properties) {
        maybe(computed);
        visit(target);
        maybe(initializer);
      }
      return;
    case 'arrayPattern':
      for (const element of node.elements) {
        if (element === undefined) continue;
        visit(element.target);
        maybe(element.initializer);
      }
      return;
    default:
      return forEachPart(node, visit);
  }
}

function forEachPart(node: Statement, visit: Visit): void {
  const maybe = (child: Node | undefined): void => {
    if (child !== undefined) visit(child);
  };
  switch (node.kind) {
    case 'block':
      return node.statements.forEach(visit);
    case 'variables':
      for (const { target, initializer } of node.declarations) {
        maybe(initializer);
        visit(target);
      }
      return;
    case 'expression':
      return visit(node.expression);
    case 'if':
      visit(node.test);
      visit(node.then);
      return maybe(node.otherwise);
    case 'loop':
      maybe(node.init);
      maybe(node.test);
      visit(node.body);
      return maybe(node.update);
    case 'forEach':
      visit(node.subject);
      visit(node.binding);
      return visit(node.body);
    case 'return':
    case 'throw':
      return maybe(node.value);
    case 'try':
      visit(node.block);
      maybe(node.parameter);
      maybe(node.handler);
      return maybe(node.finalizer);
    case 'switch':
      visit(node.subject);
      for (const { test, body } of node.cases) {
        maybe(test);
        body.forEach(visit);
      }
      return;
    case 'labeled':
      return visit(node.body);
    case 'declaration':
      return visit(node.declaration);
    default:
      return;
  }
}

/** Visits a node and everything in it, but not what is inside other functions and classes. */
export function walkOwn(node: Node, visit: Visit): void {
  visit(node);
  forEachChild(node, (child) => {
    if (child.kind === 'function' || child.kind === 'class') visit(child);
    else walkOwn(child, visit);
  });
}

/** Visits a node and everything in it. */
export function walk(node: Node, visit: Visit): void {
  visit(node);
  forEachChild(node, (child) => walk(child, visit));
}
