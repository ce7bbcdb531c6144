/**
 * The Node arguments of every service, here and in an image (a test compares deploy/Dockerfile with this list). With source maps a stack
 * trace names the line of TypeScript.
 */
export const NODE_ARGUMENTS = ['--enable-source-maps', '--min-semi-space-size=16'] as const;
