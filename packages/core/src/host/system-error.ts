// Errors of the operating system about a file, as a reason in words.

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'the file is too large',
  ELOOP: 'too many links',
  ENAMETOOLONG: 'the name is too long',
  ERR_ACCESS_DENIED: 'no permission',
  ERR_INVALID_ARG_VALUE: 'is no name of a file',
};

/** The text of an error of the system: `EMFILE: too many open files, open 'a.ts'`. */
const SYSTEM_TEXT = /^[A-Z\d_]+: (?<reason>.*?)(?:, [a-z]+(?: '.*)?)?$/s;

/** The reason of a failed file operation; errors without a code are thrown on. */
export function systemMessage(error: unknown): string {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) throw error;
  return WORDS[error.code] ?? SYSTEM_TEXT.exec(error.message)?.groups?.['reason'] ?? error.message;
}

/** Whether an error is what the system answered about a file: no bug of poundlock. */
export function isAboutFile(error: Error): error is Error & { readonly path: string } {
  return 'syscall' in error && 'path' in error && typeof error.path === 'string';
}
