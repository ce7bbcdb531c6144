// A test with real processes or a browser that fails gets another attempt where TEST_RETRIES is set. Its error is printed, and `npm test`
// lists it as flaky at the end: one of thousands must not decide over a landing, and nobody may overlook it.
if (process.env.TEST_RETRIES) jest.retryTimes(Number(process.env.TEST_RETRIES), { logErrorsBeforeRetry: true });
