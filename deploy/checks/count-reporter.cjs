const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');

const ROOT = require('node:path').join(__dirname, '../..');

/** Appends one row for each spec file to the file that TIRE_TEST_COUNTS names: its counts, its time and the time of its tests. */
module.exports = class CountReporter {
  onTestResult(test, { testFilePath, testExecError, perfStats, testResults, numPassingTests, numFailingTests, numPendingTests }) {
    const file = process.env.TIRE_TEST_COUNTS;
    if (!file) return;
    const row = {
      file: relative(ROOT, testFilePath),
      project: test.context.config.displayName?.name ?? '',
      ms: perfStats.end - perfStats.start,
      // The time until the first test: loading of modules and shared set-up.
      startMs: Math.min(perfStats.end, ...testResults.flatMap(({ startAt }) => startAt ?? [])) - perfStats.start,
      passed: numPassingTests,
      // A file that cannot be loaded has no tests; it counts as one failure.
      failed: numFailingTests + (testExecError && numFailingTests === 0 ? 1 : 0),
      skipped: numPendingTests,
      tests: testResults.map(({ fullName, duration }) => ({ name: fullName, ms: duration ?? 0 })),
      flaky: testResults.filter(({ status, invocations }) => status === 'passed' && invocations > 1).map(({ fullName }) => fullName),
    };
    appendFileSync(file, `${JSON.stringify(row)}\n`);
  }
};
