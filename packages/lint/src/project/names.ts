// Classes and type aliases of the project by name.
import type { ClassNode, Expression, SourceFile } from '../syntax/node.ts';
import type { TypeNode } from '../syntax/type-node.ts';

interface Alias {
  readonly type: TypeNode;
  readonly doc: string;
}

export class TypeDeclarations {
  readonly #classes = new Map<string, ClassNode[]>();
  readonly #aliases = new Map<string, Alias & { readonly file: SourceFile }>();

  add(file: SourceFile): void {
    for (const node of file.classes) {
      if (node.name === undefined) continue;
      const classes = this.#classes.get(node.name);
      if (classes === undefined) this.#classes.set(node.name, [node]);
      else classes.push(node);
    }
    for (const [name, alias] of file.typeAliases) this.#aliases.set(name, { ...alias, file });
  }

  /** Removes the declarations of a file; equal names in other `files` stay. */
  forget(file: SourceFile, files: readonly SourceFile[]): void {
    for (const node of file.classes) {
      const others = this.#classes.get(node.name ?? '')?.filter((candidate) => candidate !== node);
      if (others !== undefined) this.#classes.set(node.name ?? '', others);
    }
    for (const name of file.typeAliases.keys()) {
      if (this.#aliases.get(name)?.file !== file) continue;
      this.#aliases.delete(name);
      const nextFile = files.findLast((source) => source !== file && source.typeAliases.has(name));
      const alias = nextFile?.typeAliases.get(name);
      if (nextFile && alias) this.#aliases.set(name, { ...alias, file: nextFile });
    }
  }

  alias(name: string, file: SourceFile): Alias | undefined {
    return file.typeAliases.get(name) ?? this.#aliases.get(name);
  }

  classNamed(name: string, file: SourceFile): ClassNode | undefined {
    const imported = file.imports.find(({ local }) => local.text === name);
    if (imported !== undefined && !imported.module.startsWith('.')) {
      const inside = this.#classes.get(imported.imported) ?? [];
      return inside.find((candidate) => candidate.file.isDeclarations) ?? inside[0];
    }
    const candidates = this.#classes.get(imported?.imported ?? name) ?? [];
    return candidates.find((candidate) => candidate.file === file) ?? candidates[0];
  }

  classOf(expression: Expression): ClassNode | undefined {
    if (expression.kind !== 'name') return undefined;
    const { variable } = expression;
    if (variable?.initializer?.kind === 'class') return variable.initializer;
    if (variable !== undefined && variable.imported === undefined) return undefined;
    const name = variable?.imported?.imported ?? expression.text;
    const [classNode] = this.#classes.get(name) ?? [];
    return classNode;
  }
}
