import { Client } from 'pg';
import { ReadPipeline } from '../../src/core/database/pipeline';
import { LedgerService } from '../../src/modules/ledger/ledger.service';
import { Duka } from '../support/duka';

it('a process whose server takes no changes is not ready, and is again when it does', async () => {
  const duka = await Duka.start();
  const pipeline = duka.get<ReadPipeline>(ReadPipeline);
  const status = async () => (await duka.api(null).get('/readyz')).status;
  const set = (name: string, to: string) =>
    pipeline.query({ name, text: `SET default_transaction_read_only = ${to}` }, []);
  const statuses = [await status()];
  await set('read_only', 'on');
  statuses.push(await status(), await status());
  await set('read_write', 'off');
  statuses.push(await status());
  await duka.stop();
  expect(statuses).toEqual([200, 503, 503, 200]);
});

it('a process whose postings wait longer than its patience is not ready, and is again when they go on', async () => {
  const duka = await Duka.start();
  const { api } = await duka.account();
  const [from, to] = [await api.wallet(1_000), await api.wallet()];
  duka.get<LedgerService>(LedgerService).patienceMs = 1;
  const isReady = async () => (await duka.api(null).get('/readyz')).status === 200;
  const blocker = new Client({ connectionString: duka.env.DATABASE_URL });
  await blocker.connect();
  await blocker.query('BEGIN; LOCK TABLE ledger_accounts IN EXCLUSIVE MODE');
  const posted = api.transfer(from, to, 1);
  let isStuck = false;
  // A lock is waited for longer than these looks take.
  for (let look = 0; look < 500 && !isStuck; look++) isStuck = !(await isReady());
  await blocker.end();
  await posted;
  const isBack = await isReady();
  await duka.stop();
  expect([isStuck, isBack]).toEqual([true, true]);
});
