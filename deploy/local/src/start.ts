import { describeStack } from './describe';
import { runningStack } from './stack-file';
import { startStack } from './stack';
import { untilInterrupted } from './until-interrupted';

async function main(): Promise<number> {
  const already = await runningStack();
  if (already) {
    console.error(`A stack runs already at ${already.base_url}. STACK_DIR=<folder> npm start brings up another one beside it.`);
    return 1;
  }
  console.log('Tire Inspection Report Service: local stack');
  const stack = await startStack();
  console.log(describeStack(stack.file));
  return untilInterrupted(stack);
}

main().then(
  (code) => process.exit(code),
  (error: Error) => {
    console.error(`\nThe stack did not start: ${error.message}`);
    process.exit(1);
  },
);
