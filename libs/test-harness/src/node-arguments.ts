/**
 * Node's own arguments of every service, here as in an image (deploy/Dockerfile, which a test holds to this list). Source maps: a fault
 * names the line of TypeScript.
 */
export const NODE_ARGUMENTS = ['--enable-source-maps', '--min-semi-space-size=16'] as const;
