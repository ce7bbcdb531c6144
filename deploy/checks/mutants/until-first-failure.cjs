// The environment of specs that must notice a planted fault. It notes the first test that fails and skips those after it: each of them could
// wait a minute for a fact that does not come.
const { appendFileSync } = require('node:fs');
const { TestEnvironment } = require('jest-environment-node');

const nameOf = ({ name, parent }) => (parent?.parent ? `${nameOf(parent)} › ${name}` : name);

module.exports = class extends TestEnvironment {
  handleTestEvent({ name, test }) {
    if (name === 'test_start' && this.hasFailed) test.mode = 'skip';
    if (name !== 'test_done' || test.errors.length === 0 || this.hasFailed) return;
    this.hasFailed = true;
    appendFileSync(process.env.FAILED_TESTS, `${nameOf(test)}\n`);
  }
};
