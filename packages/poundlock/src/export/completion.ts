// Lowers flight completions and barrier operations to calls (U01-U03, M03-M06).
import { FlightKind } from '@poundlock/core/internal/machine';
import type { BarrierModel, BufferModel, Call, FlightModel } from './model.ts';
import type { SymbolTable } from './symbol-table.ts';

/** The calls of a completion; `null` for a group, which is not a flight of its own. */
export function completionCalls(symbols: SymbolTable, model: FlightModel): Call[] | null {
  const { flight, barrier } = model;
  if (flight.kind === FlightKind.group) return null;
  const calls: Call[] = [{ do: 'complete', flight: model }];
  for (const buffer of new Set([...flight.reads, ...flight.writes])) {
    calls.push(...touchCalls(symbols.buffer(buffer), flight.cta));
  }
  if (flight.cell >= 0) {
    calls.push({ do: 'store', cell: symbols.cell(flight.cell), value: flight.value });
  }
  if (barrier === null) return calls;
  const barrierCalls =
    flight.kind === FlightKind.signal
      ? arrivalCalls(barrier, flight.cta, 1, 1, 0)
      : byteCalls(barrier, flight.cta, -flight.bytes);
  return [...calls, ...barrierCalls];
}

/** L02, A02: an access to a buffer, which ends with its CTA unless it is in global memory. */
export function touchCalls(buffer: BufferModel, from: number): Call[] {
  return buffer.isGlobal ? [] : [{ do: 'touch', buffer, from }];
}

/** M03: arrivals on one barrier, after their expected bytes. */
export function arrivalCalls(
  barrier: BarrierModel,
  from: number,
  count: number,
  lanes: number,
  bytes: number,
): Call[] {
  const calls: Call[] = [{ do: 'reach', barrier, from }];
  if (bytes !== 0) calls.push({ do: 'expect', barrier, bytes });
  calls.push({ do: 'arrive', barrier, count, lanes });
  return calls;
}

/** M04: changes the pending bytes, which may complete the phase. */
export function byteCalls(barrier: BarrierModel, from: number, bytes: number): Call[] {
  return [
    { do: 'reach', barrier, from },
    { do: 'expect', barrier, bytes },
    { do: 'settle', barrier },
  ];
}
