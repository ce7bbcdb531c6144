/** Libraries whose entry point names many modules that need large packages: Nest, gRPC, TypeORM, certificates. */
const ENTRY_POINT = /\/(libs\/(platform|eventing|test-harness)\/src|libs\/contracts\/src\/grpc|deploy\/local\/src)\/index\.ts$/;

/**
 * Options of swc for the modules of a file. What these entry points export is loaded when it is used first. Otherwise each command, such as a
 * migration, would load the whole platform.
 */
function moduleOptions(file, source) {
  if (!ENTRY_POINT.test(file)) return { type: 'commonjs' };
  // swc would export the function that loads the module, not the module.
  const later = source.matchAll(/(?<!export \* as \w+) from '(\.[^']+)'/g);
  return { type: 'commonjs', lazy: [...later].map(([, path]) => path) };
}

module.exports = { moduleOptions };
