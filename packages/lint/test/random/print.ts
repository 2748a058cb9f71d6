// Random programs as TypeScript.
import type { Statement } from './program.ts';

/** The types that the programs import from `./stage.ts`: only tags state ownership. */
export const HEAD = `/** @mustRelease release | next */
export interface Stage {
  /** @nothrow */ use(): void;
  readonly view: View;
  /** @nothrow */ release(): void;
  /** @consumes @returnsOwned @nothrow */ next(): Stage;
}
export interface View { /** @nothrow */ use(): void }
export interface Scoped extends Stage, Disposable {}
/** @returnsOwned @nothrow */ export declare function acquire(): Stage;
/** @returnsOwned @nothrow */ export declare function tryAcquire(): Stage | undefined;
/** @returnsOwned @nothrow */ export declare function acquireScoped(): Scoped;
/** @nothrow */ export declare function any(): boolean;
`;

function block(body: readonly Statement[]): string {
  return `{ ${body.map(print).join(' ')} }`;
}

function print(node: Statement): string {
  switch (node.k) {
    case 'acquire':
      return `${node.x} = ${node.nullable ? 'tryAcquire' : 'acquire'}();`;
    case 'copy':
      return `${node.x} = ${node.y};`;
    case 'next':
      return `${node.x} = ${node.y}?.next();`;
    case 'view':
      return `${node.x} = ${node.y}?.view;`;
    case 'clear':
      return `${node.x} = undefined as Stage | undefined;`;
    case 'use':
    case 'release':
      return `${node.x}?.${node.k}();`;
    case 'push':
      return `if (${node.x} !== undefined) list.push(${node.x});`;
    case 'pop':
      return `${node.x} = list.pop();`;
    case 'return':
      return `return ${node.x};`;
    case 'drain':
      return `for (${node.x} of list.splice(0)) ${block(node.body)}`;
    case 'if':
      return `if (${node.test}) ${block(node.body)} else ${block(node.otherwise)}`;
    case 'while':
      return `while (any()) ${block(node.body)}`;
    case 'try': {
      const handler = node.handler ? ` catch ${block(node.handler)}` : '';
      const finalizer = node.finalizer ? ` finally ${block(node.finalizer)}` : '';
      return `try ${block(node.body)}${handler}${finalizer}`;
    }
    case 'using':
      return `{ using ${node.x} = acquireScoped(); ${node.body.map(print).join(' ')} }`;
    case 'throw':
      return 'throw new Error();';
    case 'break':
    case 'continue':
      return `${node.k};`;
  }
}

/** A file with the program as a function. */
export function printed(body: readonly Statement[]): string {
  const variables = ['x0', 'x1', 'x2'].map((x) => `${x} = undefined as Stage | undefined`);
  const lines = body.map((each) => `  ${print(each)}\n`).join('');
  return `import { acquire, acquireScoped, any, tryAcquire } from './stage.ts';
import type { Stage, View } from './stage.ts';
export function program(k0 = any()) {
  let ${variables.join(', ')}, v0 = undefined as View | undefined;
  const list: Stage[] = [];
${lines}  return undefined;
}
`;
}
