import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The project's folder. Sources lie three folders below package.json, the build output four. */
export const PROJECT = ['../../..', '../../../..']
  .map((up) => join(__dirname, up))
  .find((folder) => existsSync(join(folder, 'package.json')))!;
