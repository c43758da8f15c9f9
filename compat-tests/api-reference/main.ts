// `npm run docs`: writes the API reference, docs/api/.
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiPages } from './pages.js';

const FOLDER = fileURLToPath(new URL('../../../docs/api/', import.meta.url));

mkdirSync(FOLDER, { recursive: true });
for (const [file, text] of apiPages()) writeFileSync(`${FOLDER}${file}`, text);
