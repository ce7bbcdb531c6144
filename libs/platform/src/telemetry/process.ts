import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ATTRIBUTES, METRICS } from './names';
import { observe } from './metrics';

const RESOLUTION_MS = 20;

/** CPU and memory of the process, and the lag of its event loop. */
export function observeProcess(): void {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  observe(METRICS.eventLoopLag, { unit: 's', description: 'Delay of the event loop since the last reading' }, () => {
    const values = [
      { value: Math.max(0, delay.percentile(99) / 1e9 - RESOLUTION_MS / 1e3), attributes: { [ATTRIBUTES.kind]: 'p99' } },
      { value: Math.max(0, delay.max / 1e9 - RESOLUTION_MS / 1e3), attributes: { [ATTRIBUTES.kind]: 'max' } },
    ];
    delay.reset();
    return values;
  });
  observe(METRICS.processMemory, { unit: 'By', description: 'Memory of the process' }, () => {
    const { rss, heapUsed } = process.memoryUsage();
    return [
      { value: rss, attributes: { [ATTRIBUTES.kind]: 'resident' } },
      { value: heapUsed, attributes: { [ATTRIBUTES.kind]: 'heap_used' } },
    ];
  });
  observe(METRICS.processCpu, { unit: 's', description: 'CPU time of the process since it began' }, () => {
    const { user, system } = process.cpuUsage();
    return [
      { value: user / 1e6, attributes: { [ATTRIBUTES.kind]: 'user' } },
      { value: system / 1e6, attributes: { [ATTRIBUTES.kind]: 'system' } },
    ];
  });
}
