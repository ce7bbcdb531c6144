import { relative } from 'node:path';
import { stackDir, type StackFile } from './stack-file';

export const describeStack = (stack: StackFile): string => `
  API        ${stack.base_url}
  test key   ${stack.keys.test}
  share page ${stack.share_url}
  all else   ${relative(process.cwd(), stackDir()) || '.'}/stack.json (addresses, keys, pids), logs/ beside it

  curl -s -H "Authorization: Bearer ${stack.keys.test}" ${stack.base_url}/openapi.json | head -c 200

  Ctrl-C stops everything.`;
