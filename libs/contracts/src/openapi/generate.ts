import { writeFileSync } from 'node:fs';
import { openapiJson } from './document';

/** Run from the repository's root: node dist/libs/contracts/src/openapi/generate.js */
writeFileSync('libs/contracts/openapi.json', openapiJson());
