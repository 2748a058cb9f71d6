// A mistake in a PTX text: one line that names the file, the line and the column.
import { InputError } from '@poundlock/core/internal/base';

/** PTX that cannot be read or executed. The position is in the PTX text. */
export class PtxError extends InputError {
  /** Creates an error at a line and a column of a PTX file, both from 1. */
  constructor(message: string, file: string, line: number, column: number) {
    super(message, { file, line, column });
  }
}
