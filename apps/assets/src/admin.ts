import { administer } from './admin.command';

const surroundings = {
  print: (text: string) => process.stdout.write(text),
  complain: (text: string) => process.stderr.write(text),
};

void administer(process.argv.slice(2), surroundings).then((code) => (process.exitCode = code));
