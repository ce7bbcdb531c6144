/** status 0: no answer. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly retryAfterMs = 0,
  ) {
    super(`${status} ${code}`);
  }
}
