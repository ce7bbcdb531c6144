const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** Compiled modules of this worker, by file. A changed text (a file that another project transforms otherwise) is compiled again. */
const compiled = new Map();

/** An import() needs the module loader of its own spec file. */
const IMPORTS = /\bimport\s*\(/;

/**
 * Jest compiles each module again for each spec file, which took half of the time in which a file of integration tests starts. A script
 * belongs to no context: this runtime compiles it once and runs it in the context of each spec file. Modules stay separate as before.
 */
module.exports = class CompileOnceRuntime extends Runtime {
  constructor(...args) {
    super(...args);
    const { executor, _environment: environment } = this;
    const compile = executor.compile.bind(executor);
    executor.compile = (source, filename) => {
      const context = environment.getVmContext();
      if (context === null || IMPORTS.test(source)) return compile(source, filename);
      const parameters = executor.injectedModuleParameters.join();
      let entry = compiled.get(filename);
      if (entry?.source !== source || entry.parameters !== parameters) {
        const opening = `(function(${parameters}){`;
        try {
          const script = new Script(`${opening}${source}\n})`, { filename, columnOffset: -opening.length });
          compiled.set(filename, (entry = { source, parameters, script }));
        } catch {
          // Jest's own way explains what is wrong with the syntax.
          return compile(source, filename);
        }
      }
      return entry.script.runInContext(context);
    };
  }
};
