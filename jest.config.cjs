const { existsSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { run } = require('./jest.preset.cjs');

/** Unit and integration tests of every app and library in one run: infrastructure is started once, and the workers are always busy. */
const folders = ['apps', 'libs', 'deploy', 'clients'].flatMap((parent) =>
  readdirSync(join(__dirname, parent)).map((name) => join(__dirname, parent, name)),
);
const configs = folders.map((folder) => join(folder, 'jest.config.cjs')).filter((file) => existsSync(file) && !file.includes('system-e2e'));

module.exports = { ...run, projects: configs.flatMap((file) => require(file).projects) };
