const { join, relative } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');
const SECONDS = require('./test-seconds.json');

const ROOT = join(__dirname, '../..');

/**
 * Longest files first, so that no worker is idle while another one works on a long file at the end. Jest has the times of its last run
 * on the same machine; a fresh clone takes them from test-seconds.json, which names the files of five seconds and more.
 */
module.exports = class KnownTimesFirst extends Sequencer {
  time(test) {
    return super.time(test) ?? 1_000 * (SECONDS[relative(ROOT, test.path)] ?? 1);
  }
};
