// What a run made of a GPU: its duration, the roofs that it came near, and how far to trust it.
import type { DeviceUse, Roof, Roofline } from '@poundlock/core/internal/finding';
import { accuracyOf } from './accuracy.ts';
import type { LaunchRun } from './launch-run.ts';
import type { Mechanisms } from './mechanisms.ts';
import type { GpuModel } from './model.ts';

/** The figures of a launch. */
export function deviceUseOf(run: LaunchRun, mechanisms: Mechanisms, model: GpuModel): DeviceUse {
  const { microseconds, occupancy, waveCycles } = run;
  return {
    microseconds,
    timed: 'roles',
    waveCycles,
    occupancy,
    roofs: roofsOf(run, model).toSorted((a, b) => share(b) - share(a)),
    roofline: rooflineOf(run, model),
    accuracy: accuracyOf(run, mechanisms, model),
  };
}

const share = ({ achieved, peak }: Roof): number => achieved / peak;

/** A run of cycles without a duration has no rates. */
function roofsOf(run: LaunchRun, model: GpuModel): Roof[] {
  const { first, occupancy, totalCycles } = run;
  const { parameters } = model;
  const { units, program } = first;
  const microseconds = run.microseconds / occupancy.waves;
  if (microseconds === 0) return [];
  const { source } = program.declarations.launch;
  const clusters = Math.max(1, Math.floor(occupancy.ctas / occupancy.waves / program.ctas));
  const roofs: Roof[] = [];
  const add = (name: string, achieved: number, peak: number, unit: string): void => {
    if (achieved > 0 && Number.isFinite(peak)) roofs.push({ name, achieved, peak, unit });
  };
  const cycles = totalCycles / occupancy.waves;
  add('tensor core', (100 * units.tensorCycles * occupancy.ctasPerSm) / cycles, 100, '%');
  const gigabytes = (bytes: number): number => (bytes * clusters) / microseconds / 1000;
  const peak = source === 'hbm' ? 'hbmBytesPerNanosecond' : 'l2BytesPerNanosecond';
  const name = source === 'hbm' ? 'HBM, loads' : 'L2, loads';
  add(name, gigabytes(units.loadedBytes), parameters[peak].value, 'GB/s');
  const stores = parameters.storesBytesPerNanosecond.value;
  add('stores', gigabytes(units.storedBytes), stores, 'GB/s');
  const perSm = (units.loadedBytes * occupancy.ctasPerSm) / program.ctas / cycles;
  add('link of an SM', perSm, parameters.linkBytesPerCycle.value, 'B/cycle');
  return roofs;
}

/** The roofline is that of the whole chip, at the clock of the run. */
function rooflineOf(run: LaunchRun, { parameters }: GpuModel): Roofline | null {
  const { units, program } = run.first;
  const microseconds = run.microseconds / run.occupancy.waves;
  const { tensorCycles, loadedBytes, storedBytes } = units;
  const bytes = (loadedBytes + storedBytes) / program.ctas;
  const flops = tensorCycles * parameters.mmaFlopsPerCycle.value;
  if (microseconds === 0 || flops === 0 || bytes === 0 || !Number.isFinite(flops)) return null;
  const ctas = run.occupancy.ctas / run.occupancy.waves;
  const megahertz = run.totalCycles / run.microseconds;
  const sms = Math.min(ctas, parameters.multiprocessors.value);
  const isHbm = program.declarations.launch.source === 'hbm';
  const peak = parameters[isHbm ? 'hbmBytesPerNanosecond' : 'l2BytesPerNanosecond'].value;
  const peakTeraflops = (parameters.mmaFlopsPerCycle.value * sms * megahertz) / 1e6;
  const intensity = flops / bytes;
  return {
    intensity,
    teraflops: (flops * ctas) / microseconds / 1e6,
    peakTeraflops,
    peakGigabytesPerSecond: peak,
    roof: (intensity * peak) / 1000 < peakTeraflops ? 'memory' : 'tensor core',
  };
}
