// Bundles the page and the browser client into build/lib/page/assets, with a manifest of what each file is.
import { fileURLToPath } from 'node:url';
import { bundlePage } from './bundle.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
await bundlePage(ROOT);
