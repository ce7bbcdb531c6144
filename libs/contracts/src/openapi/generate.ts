import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { openapiJson } from './api-document';

const FILE = 'libs/contracts/openapi.json';

/** Run from the repository's root: node dist/libs/contracts/src/openapi/generate.js */
async function generate(): Promise<void> {
  writeFileSync(FILE, await format(openapiJson(), { ...(await resolveConfig(FILE)), filepath: FILE }));
}

void generate();
