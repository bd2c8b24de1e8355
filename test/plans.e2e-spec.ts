import { Env } from '../src/core/config/env';
import { clientConfig, type DatabaseRole } from '../src/core/database/options';
import { connected } from '../src/core/database/primary-client';
import { Pipeline } from '../src/core/database/pipeline';
import { Duka } from './support/duka';

const NOBODY = '00000000-0000-7000-8000-000000000000';

let duka: Duka;
beforeAll(async () => (duka = await Duka.start()));
afterAll(() => duka.stop());

/** How an account was looked up before and after indices seem dear. */
async function plansOf(pipeline: Pipeline): Promise<string[]> {
  const say = async (text: string) =>
    (await pipeline.query({ name: '', text }, [])).rows.map((row) => row['QUERY PLAN']).join('\n');
  await pipeline.query({ name: 'account', text: 'SELECT name FROM accounts WHERE id = $1' }, [NOBODY]);
  const plans = [await say(`EXPLAIN EXECUTE account('${NOBODY}')`)];
  for (const way of ['indexscan', 'bitmapscan', 'indexonlyscan']) await say(`SET enable_${way} = off`);
  await say('SET enable_seqscan = on');
  plans.push(await say(`EXPLAIN EXECUTE account('${NOBODY}')`));
  await pipeline.end();
  return plans.map((plan) => /^\w+/.exec(plan)![0]);
}

it('plans a statement once, and again after so long where that is asked for', async () => {
  const config = { ...clientConfig(duka.get<Env>(Env)), plans: 'generic' as const };
  expect(await plansOf(new Pipeline(config))).toEqual(['Index', 'Index']);
  expect(await plansOf(new Pipeline(config, 0))).toEqual(['Index', 'Seq']);
});

it('compiles no statement, though servers do so unless they are told', async () => {
  const env = duka.get<Env>(Env);
  await connected(clientConfig(env, 'owner'), async (client) => {
    const { rows } = await client.query<{ sql: string }>(
      `SELECT format('ALTER DATABASE %I SET jit = on', current_database()) AS sql`,
    );
    await client.query(rows[0]!.sql);
  });
  const jitOf = (role: DatabaseRole) =>
    connected(
      clientConfig(env, role),
      async (client) => (await client.query<{ jit: string }>('SHOW jit')).rows[0]!.jit,
    );
  expect(await Promise.all((['owner', 'app', 'reader'] as const).map(jitOf))).toEqual(['on', 'off', 'off']);
});
