import { Client } from 'pg';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Cells } from '../../src/core/cells/cells';
import { Forwarding } from '../../src/core/cells/forwarding';
import { Env } from '../../src/core/config/env';
import { slotOfRequest } from '../../src/core/http/slot-of-request';
import { createTestDatabase, type TestDatabase } from './database';
import { OF_ONE_PROCESS } from './of-one-process';

export const CELL_SECRET = 'a-secret-that-the-cells-of-this-test-share';

/** `CELLS=3 npm test`: the service of each test file is a cell among three, and asked at another. */
export const isAmongCells = process.env.CELLS === '3';
export const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

const NOWHERE = 'http://127.0.0.1:1';

/** Of the file's own cell, of the one at which requests arrive, and of one that keeps nothing (third-cell.ts). */
const CELLS = `
  INSERT INTO cells (name, addresses, slots, is_control, epoch)
  VALUES ('own', ARRAY['${NOWHERE}'], '{[0,2048)}', true, $1), ('other', ARRAY[$2], '{[2048,4095)}', false, 1),
         ('third', ARRAY[$3], '{[4095,4096)}', false, 1)`;

/** Makes a database one of the three; the other cell is told of the own one's address when that has a process. */
export async function becomeCell(
  { url }: Pick<TestDatabase, 'url'>,
  name: 'own' | 'other' | 'third',
  other = NOWHERE,
): Promise<void> {
  await ask(url, `INSERT INTO this_cell (name) VALUES ($1)`, [name]);
  await ask(url, CELLS, [name === 'own' ? 2 : 1, other, process.env.DUKA_TEST_THIRD_CELL ?? NOWHERE]);
}

/** A process of another cell, with a database of its own that has no accounts. */
export class OtherCell {
  private constructor(
    private readonly database: TestDatabase,
    private readonly app: NestFastifyApplication,
    readonly url: string,
  ) {}

  /** Started before that of the file's cell, whose metrics then count. */
  static async start(
    env: Env,
    listen: (env: Env, by: { prepare: (app: NestFastifyApplication) => void }) => Promise<NestFastifyApplication>,
  ): Promise<OtherCell> {
    const database = await createTestDatabase();
    await becomeCell(database, 'other');
    const ofIts = { DATABASE_URL: database.url, REDIS_URL: undefined, WORKER_IN_API: false };
    const app = await listen(Object.assign(new Env(), env, ofIts), { prepare: sendOnTheRest });
    return new OtherCell(database, app, await app.getUrl());
  }

  /** Where the process of the file's cell listens now. */
  async follow(own: string): Promise<void> {
    await ask(this.database.url, `UPDATE cells SET addresses = ARRAY[$1], epoch = epoch + 1 WHERE name = 'own'`, [own]);
    await this.app.get(Cells).refresh();
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }
}

/** What is about no account comes, as by a balancer that goes by hosts, to the file's cell as well. */
function sendOnTheRest(app: NestFastifyApplication): void {
  const forwarding = app.get(Forwarding);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('preParsing', async (request, reply) => {
      if (slotOfRequest(request) === null && forwarding.hopOf(request) === null)
        return forwarding.sendOn({ slot: '000' }, request, reply);
    });
}

/** Whether the test file, or the test that runs, is about one process, or about people (see `ownUrl`). */
export function isOfOneProcess(what: 'file' | 'test'): boolean {
  const { testPath = '', currentTestName = '' } = expect.getState();
  const file = testPath.slice(testPath.lastIndexOf('/test/') + '/test/'.length);
  if (what === 'file') return file in OF_ONE_PROCESS;
  return file.startsWith('dashboard') || `${file}: ${currentTestName}` in OF_ONE_PROCESS;
}

async function ask(url: string, statement: string, values: unknown[] = []): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}
