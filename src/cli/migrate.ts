import '../core/process/require-node';
import { loadEnv } from '../core/config/env';
import { runProcess } from '../core/process/lifetime';
import { runMigrations } from '../migrations/migrations';

// `npm run migrate`: brings a server's database up to date.
runProcess(async (lifetime) => {
  const names = await runMigrations(loadEnv({ required: ['DATABASE_URL'] }));
  for (const name of names) console.log(`applied ${name}`);
  console.log(names.length > 0 ? `${names.length} migrations applied.` : 'The database is up to date.');
  await lifetime.end(0);
});
