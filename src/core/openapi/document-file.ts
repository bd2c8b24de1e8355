import { join } from 'node:path';
import { PROJECT } from '../process/project';

/** The committed OpenAPI document. */
export const OPENAPI_FILE = join(PROJECT, 'docs', 'api', 'openapi.json');

/** The table of error codes. */
export const ERRORS_FILE = join(PROJECT, 'docs', 'errors.md');
