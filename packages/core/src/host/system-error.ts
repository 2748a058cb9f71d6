// Errors of the operating system about a file, as a reason in words.

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EISDIR: 'is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'the disk is full',
  ELOOP: 'too many links',
  ENAMETOOLONG: 'the name is too long',
};

/** The reason of a failed file operation; errors without a code are thrown on. */
export function systemMessage(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') {
    return WORDS[error.code] ?? error.message;
  }
  throw error;
}
