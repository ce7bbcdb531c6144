import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { consoleOpenapiJson } from './console-document';
import { openapiJson } from './api-document';

const FILES = { 'libs/contracts/openapi.json': openapiJson, 'libs/contracts/console-openapi.json': consoleOpenapiJson };

/** Run from the repository's root: node dist/libs/contracts/src/openapi/generate.js */
async function generate(): Promise<void> {
  for (const [filepath, json] of Object.entries(FILES))
    writeFileSync(filepath, await format(json(), { ...(await resolveConfig(filepath)), filepath }));
}

void generate();
