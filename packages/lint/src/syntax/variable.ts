// A variable of the program: what a name means after scopes are resolved.
import type { Expression, FunctionNode, ImportBinding } from './node.ts';
import type { TypeNode } from './type-node.ts';

export interface Variable {
  /** Unique among all files. */
  readonly id: number;
  readonly name: string;
  readonly form: 'parameter' | 'let' | 'const' | 'var' | 'using' | 'function' | 'class' | 'import';
  /** Whose activation it lives in; `undefined` for the module itself. */
  readonly home: FunctionNode | undefined;
  /** What it was declared as, where that is said by syntax alone. */
  readonly type: TypeNode | undefined;
  readonly initializer: Expression | undefined;
  /** What it was taken out of: `pair` of `const [one] = pair`. */
  readonly partOf: Expression | undefined;
  readonly imported: ImportBinding | undefined;
  /** The variable of another file of the project that it was imported from, once that is known. */
  meaning: Variable | undefined;
  /** How often it is assigned after its declaration. */
  assignments: number;
  /** An inner function reads or writes it. */
  captured: boolean;
  /** The methods that are called on it. */
  readonly called: Set<string>;
  /** The functions that it is an argument of. */
  readonly passedTo: Set<string>;
}
