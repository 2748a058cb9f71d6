// Typed-array views of a run's buffers, created once for each buffer and type.
import { InputError, type SharedMemory, type ViewType } from '@poundlock/core/internal/base';
import type { Buffer, Program, View } from '@poundlock/core/internal/program';
import type { Plan } from './plan.ts';

/** The view function that the work of one role uses to access its buffers. */
export function viewsOf(program: Program, plan: Plan, memory: SharedMemory, role: number): View {
  const { cta } = program.roles[role]!;
  const { bufferBytes, places } = program.declarations;
  const views = new Map<ViewType, ArrayBufferView[]>();
  /** The type of the last access, mostly the only one, and its views by buffer. */
  let lastType: ViewType | undefined;
  let last: ArrayBufferView[] = [];
  const offsetOf = ({ id }: Buffer): number => plan.buffer(id * program.ctas + cta);

  function make(buffer: Buffer, type: ViewType): ArrayBufferView {
    const { at, bytes: placed } = places[buffer.id]!;
    const bytes = at < 0 ? bufferBytes[buffer.id]! : placed;
    if (bytes === 0) {
      throw new InputError(`buffer ${buffer.name} has no bytes: declare how many it has`);
    }
    const length = Math.floor(bytes / type.BYTES_PER_ELEMENT);
    return new type(memory.buffer as unknown as ArrayBuffer, offsetOf(buffer), length);
  }

  function look<T extends ViewType>(buffer: Buffer, type: T): InstanceType<T> {
    if (type !== lastType) {
      last = views.get(type) ?? [];
      views.set(type, last);
      lastType = type;
    }
    return (last[buffer.id] ??= make(buffer, type)) as InstanceType<T>;
  }
  return Object.assign(look, { memory, offsetOf });
}
