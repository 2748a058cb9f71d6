// Tags of the project that say nothing: misspelt ones, and releasing methods that are not there.
import { nearest } from '@poundlock/core/internal/base';
import { contractOf, hasTags, tagFaults } from '../contract/tags.ts';
import { positionOf } from '../messages.ts';
import type { ClassNode, SourceFile } from '../syntax/node.ts';

/** A remark on a tag, which changes no finding. */
export interface TagNotice {
  /** The file. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** One sentence, with the name that was probably meant. */
  readonly message: string;
}

const COMMENT = /\/\*\*[\s\S]*?\*\//g;

/** Misspelt tags in the comments of a text. */
export function misspeltTags(file: string, text: string): TagNotice[] {
  return [...text.matchAll(COMMENT)].flatMap(({ index: start, 0: comment }) =>
    tagFaults(comment).map(({ message, index }) => ({
      file,
      ...positionOf({ text }, start + index),
      message,
    })),
  );
}

/** `@mustRelease clsoe` at a class or an interface that has no such member. */
export function unknownMethods(file: SourceFile): TagNotice[] {
  if (!hasTags(file.text)) return [];
  return file.classes.flatMap((node) => {
    const isAlone = node.heritage.length === 0 && node.implemented.length === 0;
    const contract = isAlone ? contractOf(node.name ?? 'type', node.doc) : undefined;
    const members = membersOf(node);
    const unknown = (contract?.release ?? []).filter((name) => !members.includes(name));
    if (members.length === 0) return [];
    const position = positionOf(file, node.nameStart);
    return unknown.map((name): TagNotice => {
      const meant = nearest(name, members);
      const help = meant === undefined ? '' : `: did you mean ${meant}?`;
      const message = `@mustRelease ${name}: ${node.name ?? 'the type'} has no ${name}${help}`;
      return { file: file.path, ...position, message };
    });
  });
}

function membersOf({ methods, fields }: ClassNode): string[] {
  return [...methods, ...fields].flatMap(({ name }) => name ?? []);
}
