import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { BRUNO_FOLDER, COLLECTION_FILE, EXAMPLES_FILE } from '../../src/core/openapi/docs-pages';
import { findOperation, type RecordedCall } from '../../src/core/openapi/examples';
import { openapi } from '../support/contract';
import { Duka } from '../support/duka';
import { runBruno } from './bruno';
import { settled, shapeOf, Translation } from './recording';
import { WALK } from './walk';
import { addressed, type Send, walk } from './walker';

const operations = Object.values(openapi.paths).flatMap((methods) => Object.values(methods));
let duka: Duka;

beforeAll(async () => {
  duka = await Duka.start({ WEBHOOK_ALLOW_PRIVATE_NETWORKS: true }); // as the sandbox of `npm start`
});
afterAll(() => duka.stop());

/** An account that nobody has used yet. */
async function freshSandbox(): Promise<Send> {
  const { api } = await duka.account();
  return (method, path, body, headers) => api.call(method, path, body, { headers });
}

const recorded = () => JSON.parse(readFileSync(EXAMPLES_FILE, 'utf8')) as RecordedCall[];

// `npm run openapi:record`: then the document does not show yet what is compared here.
const isRecording = Boolean(process.env.RECORD_EXAMPLES);
const compare = isRecording ? it.skip : it;
(isRecording ? it : it.skip)('is recorded', async () => {
  writeFileSync(
    EXAMPLES_FILE,
    `${JSON.stringify(settled(await walk(WALK, openapi, await freshSandbox())), null, 2)}\n`,
  );
});

compare('shows every operation of the interface once, in the order of the walk', () => {
  const shown = recorded()
    .filter(({ title }) => title === undefined)
    .map(({ operation }) => operation);
  expect([...shown].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  expect(recorded().map(({ operation, title }) => [operation, title])).toEqual(
    WALK.flatMap((step) => [step.before ?? [], step].flat()).map(({ operation, title }) => [operation, title]),
  );
});

compare('each example of the document succeeds in a fresh sandbox, and the answer looks as it is shown', async () => {
  const send = await freshSandbox();
  const ids = new Translation();
  const wrong: unknown[] = [];
  for (const call of recorded()) {
    // What a reader of the document sends: its examples. Calls that prepare another one are in the collection only.
    const request = ids.of(call.title === undefined ? exampleOf(call.operation) : call);
    const { status, body } = await send(...addressed(call.operation, request, openapi));
    if (status !== call.status) wrong.push([call.operation, status, body]);
    else expect({ [call.operation]: shapeOf(body) }).toEqual({ [call.operation]: shapeOf(call.answer) });
    ids.learn(call.answer, body);
  }
  expect(wrong).toEqual([]);
});

compare('the collection, imported as it is, runs through a fresh sandbox', async () => {
  const { key } = await duka.account();
  const variables = [`base_url=${duka.url}`, `api_key=${key}`].flatMap((variable) => ['--env-var', variable]);
  const newman = spawn(process.execPath, [
    'node_modules/newman/bin/newman.js',
    'run',
    COLLECTION_FILE,
    ...variables,
    '--reporters',
    'cli',
    '--color',
    'off',
  ]);
  const printed: Buffer[] = [];
  newman.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  newman.stderr.on('data', (chunk: Buffer) => printed.push(chunk));
  const [code] = await once(newman, 'close');
  const text = Buffer.concat(printed).toString();
  // Its table counts requests, and tests, one for each of them: made and failed.
  const count = recorded().length;
  if (code !== 0) throw new Error(text);
  expect(text).toMatch(new RegExp(`requests \\S+ +${count} \\S+ +0 `));
  expect(text).toMatch(new RegExp(`assertions \\S+ +${count} \\S+ +0 `));
});

compare('so does the Bruno collection', async () => {
  const { key } = await duka.account();
  const ran = await runBruno(BRUNO_FOLDER, { base_url: duka.url, api_key: key });
  expect(ran.filter(({ failure }) => failure !== null)).toEqual([]);
  expect(ran).toHaveLength(recorded().length);
});

/** Path, query and body as the document shows them. */
function exampleOf(operationId: string): Pick<RecordedCall, 'path' | 'query' | 'headers' | 'body'> {
  const { parameters = [], requestBody } = findOperation(openapi, operationId).operation;
  const values = (place: string) => {
    const shown = (parameters as { in?: string; name?: string; example?: unknown }[]).filter(
      (one) => one.in === place && one.example !== undefined,
    );
    return Object.fromEntries(shown.map(({ name, example }) => [name!, String(example)]));
  };
  return {
    path: values('path'),
    query: values('query'),
    headers: {},
    body: requestBody?.content['application/json']!.example,
  };
}
