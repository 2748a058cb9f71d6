// A variable of the program, resolved from names by `scope.ts`.
import type { Expression, FunctionNode, ImportBinding } from './node.ts';
import type { TypeNode } from './type-node.ts';

export interface Variable {
  /** Unique among all files. */
  readonly id: number;
  readonly name: string;
  readonly form: 'parameter' | 'let' | 'const' | 'var' | 'using' | 'function' | 'class' | 'import';
  /** The function that it is local to; `undefined` for the module itself. */
  readonly home: FunctionNode | undefined;
  /** Its declared type, if there is an annotation. */
  readonly type: TypeNode | undefined;
  readonly initializer: Expression | undefined;
  /** The destructured expression: `pair` of `const [one] = pair`. */
  readonly partOf: Expression | undefined;
  readonly imported: ImportBinding | undefined;
  /** The variable of another file of the project that it was imported from, once resolved. */
  meaning: Variable | undefined;
  /** The number of assignments after its declaration. */
  assignments: number;
  /** An inner function reads or writes it. */
  captured: boolean;
  /** The methods that are called on it. */
  readonly called: Set<string>;
  /** The functions that it is an argument of. */
  readonly passedTo: Set<string>;
}
