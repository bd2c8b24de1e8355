import { existsSync } from 'node:fs';
import { join } from 'node:path';

// Sources lie three folders below package.json, the build output four.
const PROJECT = ['../../..', '../../../..'].map((up) => join(__dirname, up)).find((folder) => existsSync(join(folder, 'package.json')))!;

/** The committed OpenAPI document. */
export const OPENAPI_FILE = join(PROJECT, 'docs', 'api', 'openapi.json');

/** The table of error codes. */
export const ERRORS_FILE = join(PROJECT, 'docs', 'errors.md');
