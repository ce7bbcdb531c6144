const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { createTransformer } = require('@swc/jest');
const { moduleOptions } = require('../entry-points.cjs');

const settings = readFileSync(join(__dirname, '../../.swcrc'), 'utf8');
/** By the options of modules: the entry points of libraries have their own ones, see there. */
const transformers = new Map();

function transformerOf(source, file) {
  const options = moduleOptions(file, source);
  const key = JSON.stringify(options);
  if (!transformers.has(key)) transformers.set(key, createTransformer({ ...JSON.parse(settings), module: options }));
  return transformers.get(key);
}

module.exports = {
  process: (source, file, ...rest) => transformerOf(source, file).process(source, file, ...rest),
  getCacheKey: (source, file, ...rest) => transformerOf(source, file).getCacheKey(source, file, ...rest),
};
