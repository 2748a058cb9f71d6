// Reads the header of a file; a file that is too short is never closed.
import { open } from 'node:fs/promises';

export async function header(path: string): Promise<Buffer> {
  const file = await open(path);
  const { bytesRead, buffer } = await file.read(Buffer.alloc(16));
  if (bytesRead < 16) throw new RangeError(`${path} is too short`);
  await file.close();
  return buffer;
}
