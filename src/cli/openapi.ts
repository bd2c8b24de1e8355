import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module';
import { Env } from '../core/config/env';
import { describeApi, describeDashboard } from '../core/openapi/document';
import { brunoCollection, postmanCollection } from '../core/openapi/collections';
import { BRUNO_FOLDER, COLLECTION_FILE, EXAMPLES_FILE, OPENAPI_FILE } from '../core/openapi/docs-pages';
import { addRecordedExamples, type RecordedCall } from '../core/openapi/examples';
import { PROJECT } from '../core/process/project';

// Writes docs/api/openapi.json and the collections for Postman and Bruno, from the code and docs/api/examples.json, and
// what the pages of the dashboard have their types from; with --check it only says whether they are up to date.
async function main(): Promise<void> {
  // A preview resolves every module and creates nothing: neither settings nor a database are needed.
  const app = await NestFactory.create(AppModule.register(new Env()), new FastifyAdapter(), {
    preview: true,
    abortOnError: false,
    logger: ['error'],
  });
  const document = describeApi(app);
  const calls = JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as RecordedCall[];
  addRecordedExamples(document, calls);
  write(OPENAPI_FILE, jsonOf(document));
  write(COLLECTION_FILE, jsonOf(postmanCollection(document, calls)));
  writeFolder(BRUNO_FOLDER, brunoCollection(document, calls));
  write(join(PROJECT, 'dashboard', 'src', 'api', 'dashboard-openapi.json'), jsonOf(describeDashboard(app)));
}

const isChecking = process.argv.includes('--check');
const jsonOf = (content: object): string => `${JSON.stringify(content, null, 2)}\n`;

function write(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  if (isChecking) return sayStale(file);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** What else stands in the folder is of before. */
function writeFolder(folder: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) write(join(folder, name), text);
  for (const found of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(found.parentPath, found.name);
    if (found.isDirectory() || relative(folder, file) in files) continue;
    if (isChecking) sayStale(file);
    else rmSync(file);
  }
}

function sayStale(file: string): void {
  console.error(
    `${relative(PROJECT, file)} does not say what the code does: run \`npm run openapi\` and commit the file.`,
  );
  process.exitCode = 1;
}

void main();
