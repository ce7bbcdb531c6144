import { writeFileSync } from 'node:fs';
import { sandboxGuide } from './guide';
import { GUIDE_FILES } from './guide-files';

/** Run from the repository's root: node dist/libs/contracts/src/sandbox/write-guide.js */
for (const [language, file] of GUIDE_FILES) writeFileSync(file, sandboxGuide(language));
