import { runAdmin } from './cleaning/admin.command';

const context = {
  print: (text: string) => process.stdout.write(text),
  printError: (text: string) => process.stderr.write(text),
};

void runAdmin(process.argv.slice(2), context).then((code) => (process.exitCode = code));
