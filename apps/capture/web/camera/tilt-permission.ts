/** Of Safari, and in no types. */
interface WithPermission {
  readonly requestPermission?: () => Promise<'granted' | 'denied'>;
}

/** Without the permission there is no level, and everything else works. */
export async function askForTilt(): Promise<void> {
  if (typeof DeviceOrientationEvent === 'undefined') return;
  const { requestPermission } = DeviceOrientationEvent as unknown as WithPermission;
  await requestPermission?.call(DeviceOrientationEvent).catch(() => undefined);
}
