const { forProject } = require('../../jest.preset.cjs');

const config = forProject('client-typescript', __dirname);
// Its servers are small HTTP servers of the specs: it needs no Postgres.
for (const project of config.projects) {
  delete project.globalSetup;
  delete project.globalTeardown;
}

module.exports = config;
