import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module';
import { Env } from '../core/config/env';
import { describeApi, describeDashboard } from '../core/openapi/document';
import { COLLECTION_FILE, EXAMPLES_FILE, OPENAPI_FILE } from '../core/openapi/docs-pages';
import { postmanCollection } from '../core/openapi/postman-collection';
import { addRecordedExamples, type RecordedCall } from '../core/openapi/examples';
import { PROJECT } from '../core/process/project';

// Writes docs/api/openapi.json and the Postman collection, from the code and docs/api/examples.json, and what the pages
// of the dashboard have their types from; with --check it only says whether they are up to date.
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
  write(OPENAPI_FILE, document);
  write(COLLECTION_FILE, postmanCollection(document, calls));
  write(join(PROJECT, 'dashboard', 'src', 'api', 'dashboard-openapi.json'), describeDashboard(app));
}

function write(file: string, content: object): void {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(
      `${relative(PROJECT, file)} does not say what the code does: run \`npm run openapi\` and commit the file.`,
    );
    process.exitCode = 1;
  }
}

void main();
