import { readFileSync, writeFileSync } from 'node:fs';
import { format, type FormatConfig } from 'oxfmt';
import { openapiJson } from './api-document';

const FILE = 'libs/contracts/openapi.json';

/** Run from the repository's root: node dist/libs/contracts/src/openapi/generate.js */
async function generate(): Promise<void> {
  const style = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
  writeFileSync(FILE, (await format(FILE, openapiJson(), style)).code);
}

void generate();
