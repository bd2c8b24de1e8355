// Puts a brotli and a gzip copy beside each text file of the build: the API serves what a browser accepts.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const TEXT = /\.(?:js|css|html|svg)$/;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const dist = join(import.meta.dirname, '..', 'dist');
for (const name of readdirSync(dist, { recursive: true }).filter((path) => TEXT.test(path))) {
  const content = readFileSync(join(dist, name));
  writeFileSync(join(dist, `${name}.br`), brotliCompressSync(content, BROTLI));
  writeFileSync(join(dist, `${name}.gz`), gzipSync(content));
}
