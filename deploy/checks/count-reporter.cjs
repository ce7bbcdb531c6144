const { appendFileSync } = require('node:fs');

/** Adds each project's test counts to one file, so that `npm test` can end with one honest line. */
module.exports = class CountReporter {
  onRunComplete(_contexts, results) {
    const file = process.env.TIRE_TEST_COUNTS;
    if (!file) return;
    const failedSuitesWithoutTests = results.testResults.filter((suite) => suite.testExecError).length;
    const counts = {
      passed: results.numPassedTests,
      failed: results.numFailedTests + failedSuitesWithoutTests,
      skipped: results.numPendingTests,
    };
    appendFileSync(file, `${JSON.stringify(counts)}\n`);
  }
};
