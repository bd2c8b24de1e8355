import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module';
import { Env } from '../core/config/env';
import { describeApi } from '../core/openapi/document';
import { OPENAPI_FILE } from '../core/openapi/document-file';

// Writes docs/api/openapi.json from the code; with --check it only says whether the file is up to date.
async function main(): Promise<void> {
  const text = `${JSON.stringify(await describe(), null, 2)}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(OPENAPI_FILE, text);
  } else if (!existsSync(OPENAPI_FILE) || readFileSync(OPENAPI_FILE, 'utf8') !== text) {
    console.error('docs/api/openapi.json does not say what the code does: run `npm run openapi` and commit the file.');
    process.exitCode = 1;
  }
}

/** A preview resolves every module and creates nothing: neither settings nor a database are needed. */
async function describe(): Promise<object> {
  const app = await NestFactory.create(AppModule.register(new Env()), new FastifyAdapter(), {
    preview: true,
    abortOnError: false,
    logger: ['error'],
  });
  return describeApi(app);
}

void main();
