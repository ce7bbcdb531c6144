let stop: () => Promise<void> = async () => undefined;

/** Set by the telemetry set-up, so that the drain can flush what it does not load. */
export function onStopTelemetry(run: () => Promise<void>): void {
  stop = run;
}

export const stopTelemetry = (): Promise<void> => stop();
