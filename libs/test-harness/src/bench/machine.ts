import { readFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';

/** USER_HZ, the unit of /proc, is 100 on every Linux that Node supports. */
const MS_PER_TICK = 10;

/** Time of all cores since the machine started. */
interface CoreTime {
  readonly busyMs: number;
  readonly idleMs: number;
  /** Time that another virtual machine had. */
  readonly stolenMs: number;
}

function coreTime(): CoreTime {
  const fields = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0]!.trim().split(/\s+/).slice(1).map(Number);
  const [user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0] = fields.map(
    (ticks) => ticks * MS_PER_TICK,
  );
  return { busyMs: user + nice + system + irq + softirq, idleMs: idle + iowait, stolenMs: steal };
}

/** What the whole machine did during a span, with everything that ran beside the bench. */
export interface MachineSpan {
  readonly loadBefore: number;
  readonly loadAfter: number;
  readonly busyCores: number;
  readonly idlePercent: number;
  readonly stealPercent: number;
}

export function watchMachine(): { end(): MachineSpan } {
  const [before, beganMs, loadBefore] = [coreTime(), performance.now(), loadavg()[0]!];
  return {
    end() {
      const after = coreTime();
      const [busyMs, idleMs, stolenMs] = [after.busyMs - before.busyMs, after.idleMs - before.idleMs, after.stolenMs - before.stolenMs];
      const percent = (ms: number): number => (100 * ms) / Math.max(1, busyMs + idleMs + stolenMs);
      return {
        loadBefore,
        loadAfter: loadavg()[0]!,
        busyCores: busyMs / (performance.now() - beganMs),
        idlePercent: percent(idleMs),
        stealPercent: percent(stolenMs),
      };
    },
  };
}

export const machineText = (): string => `${cpus().length} cores, ${cpus()[0]!.model.trim()}, Linux ${release()}, Node ${process.version}`;

export const spanText = ({ loadBefore, loadAfter, idlePercent, stealPercent }: MachineSpan): string =>
  `Load average ${loadBefore.toFixed(1)} before and ${loadAfter.toFixed(1)} after; idle ${idlePercent.toFixed(1)} %, stolen ${stealPercent.toFixed(1)} %.`;

/** A line below what a bench prints: when and where it ran, and what else the machine did. */
export const conditionsText = (span: MachineSpan): string =>
  `${new Date().toISOString().slice(0, 10)}, ${machineText()}. ${spanText(span)}`;
