// Handles in the shapes of results, and how sure they are.
import type { Contract } from '../contract/contract.ts';
import type { ValueShape } from '../flow/world.ts';

/** Whether only a name suggests the handle in a shape. */
export function isGuess(shape: ValueShape): boolean {
  return shape.k !== 'nothing' && handleIn(shape)?.isGuess === true;
}

/** The handle in a shape, and the properties that lead to it. */
export function handleIn(
  shape: ValueShape,
  path: readonly string[] = [],
): { path: readonly string[]; contract: Contract; isGuess: boolean } | undefined {
  switch (shape.k) {
    case 'handle':
      return { path, contract: shape.contract, isGuess: shape.isGuess ?? false };
    case 'promise':
      return handleIn(shape.of, path);
    case 'object':
      return firstIn([...shape.of].map(([name, inner]) => handleIn(inner, [...path, name])));
    case 'tuple':
      return firstIn(shape.of.map((inner, index) => handleIn(inner, [...path, String(index)])));
    case 'either':
      return firstIn(shape.of.map((inner) => handleIn(inner, path)));
    // An array has its elements at no property.
    case 'many':
    case 'constant':
    case 'nothing':
      return undefined;
  }
}

function firstIn<T>(handles: readonly (T | undefined)[]): T | undefined {
  return handles.find((handle) => handle !== undefined);
}
