let stop: () => Promise<void> = async () => undefined;

/** The telemetry set-up sets this, so that the drain can flush telemetry without loading the SDK. */
export function onStopTelemetry(run: () => Promise<void>): void {
  stop = run;
}

export const stopTelemetry = (): Promise<void> => stop();
