import { join } from 'node:path';
import { PROJECT } from '../process/project';

/** The committed OpenAPI document. */
export const OPENAPI_FILE = join(PROJECT, 'docs', 'api', 'openapi.json');

/** What was asked and answered for the examples of the document. */
export const EXAMPLES_FILE = join(PROJECT, 'docs', 'api', 'examples.json');

/** The same calls for Postman and whatever imports its collections. */
export const COLLECTION_FILE = join(PROJECT, 'docs', 'api', 'duka.postman_collection.json');

/** The table of error codes. */
export const ERRORS_FILE = join(PROJECT, 'docs', 'errors.md');
