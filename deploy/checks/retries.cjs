// A test with real processes or a browser that fails gets another attempt where TEST_RETRIES is set. Its error is printed, and `npm test`
// lists it as flaky at the end: one test in thousands must not block a merge, and its failure must stay visible.
if (process.env.TEST_RETRIES) jest.retryTimes(Number(process.env.TEST_RETRIES), { logErrorsBeforeRetry: true });
