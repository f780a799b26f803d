import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePublishedDocument } from '../shared/api/openapi/document.ts';

/** `npm run openapi`: writes the OpenAPI document into openapi.json. A test compares it with the routes. */
const file = join(import.meta.dirname, '..', 'openapi.json');
writeFileSync(file, `${JSON.stringify(makePublishedDocument(), null, 2)}\n`);
console.log(`Wrote ${file}`);
