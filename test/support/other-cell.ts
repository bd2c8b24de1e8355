import { Client } from 'pg';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Cells } from '../../src/core/cells/cells';
import { Forwarding } from '../../src/core/cells/forwarding';
import { Env } from '../../src/core/config/env';
import { slotOfRequest } from '../../src/core/http/slot-of-request';
import { ASKED_DIRECTLY } from './asked-directly';
import { createTestDatabase, type TestDatabase } from './database';

export const CELL_SECRET = 'a-secret-that-the-cells-of-this-test-share';

/** `CELLS=3 npm test`: the service of each test file is a cell among three, and asked at another. */
export const isAmongCells = process.env.CELLS === '3';
// Two services start for each file, and each request is answered by both.
if (isAmongCells) jest.setTimeout(90_000);

/** Of the file's own cell, of the one at which requests arrive, and of one that has no process. */
const CELLS = `
  INSERT INTO cells (name, addresses, slots, is_control, epoch)
  VALUES ('own', ARRAY[$1], '{[0,2048)}', true, 1), ('other', ARRAY['http://127.0.0.1:1'], '{[2048,3072)}', false, 1),
         ('third', ARRAY['http://127.0.0.1:1'], '{[3072,4096)}', false, 1)`;

/** Makes a database one of the three. */
export async function becomeCell(
  { url }: TestDatabase,
  name: 'own' | 'other',
  own = 'http://127.0.0.1:1',
): Promise<void> {
  await ask(url, `INSERT INTO this_cell (name) VALUES ($1)`, [name]);
  await ask(url, CELLS, [own]);
}

/** A process of another cell, with a database of its own that has no accounts. */
export class OtherCell {
  private constructor(
    private readonly database: TestDatabase,
    private readonly app: NestFastifyApplication,
    readonly url: string,
  ) {}

  /** `own`: where the process of the file's cell listens. */
  static async start(
    env: Env,
    own: string,
    listen: (env: Env, by: { prepare: (app: NestFastifyApplication) => void }) => Promise<NestFastifyApplication>,
  ): Promise<OtherCell> {
    const database = await createTestDatabase();
    await becomeCell(database, 'other', own);
    const ofIts = { DATABASE_URL: database.url, REDIS_URL: undefined, WORKER_IN_API: false };
    const app = await listen(Object.assign(new Env(), env, ofIts), { prepare: sendOnTheRest });
    return new OtherCell(database, app, await app.getUrl());
  }

  /** The process of the file's cell listens elsewhere now. */
  async follow(own: string): Promise<void> {
    await ask(this.database.url, `UPDATE cells SET addresses = ARRAY[$1], epoch = epoch + 1 WHERE name = 'own'`, [own]);
    await ask(this.database.url, `UPDATE cells SET epoch = (SELECT max(epoch) FROM cells)`);
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
  const cells = app.get(Cells);
  app
    .getHttpAdapter()
    .getInstance()
    .addHook('onRequest', async (request, reply) => {
      if (slotOfRequest(request) === null && forwarding.hopOf(request) === null)
        return forwarding.answerFor(cells.ownerOf('000')!, '000', request, reply);
    });
}

/** Whether the test that runs is about one process, which it then asks itself. */
export function isAskedDirectly(): boolean {
  const { testPath = '', currentTestName = '' } = expect.getState();
  const file = testPath.slice(testPath.lastIndexOf('/test/') + '/test/'.length);
  return file in ASKED_DIRECTLY || `${file}: ${currentTestName}` in ASKED_DIRECTLY;
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
