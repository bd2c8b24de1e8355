import { ReadPipeline } from '../../src/core/database/database.module';
import { Duka } from '../support/duka';

it('a process whose server takes no changes is not ready, and is again when it does', async () => {
  const duka = await Duka.start();
  const pipeline = duka.get<ReadPipeline>(ReadPipeline);
  const status = async () => (await duka.api(null).get('/readyz')).status;
  const set = (name: string, to: string) => pipeline.query({ name, text: `SET default_transaction_read_only = ${to}` }, []);
  const statuses = [await status()];
  await set('read_only', 'on');
  statuses.push(await status(), await status());
  await set('read_write', 'off');
  statuses.push(await status());
  await duka.stop();
  expect(statuses).toEqual([200, 503, 503, 200]);
});
