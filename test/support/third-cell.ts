import { AppModule } from '../../src/app.module';
import { Env } from '../../src/core/config/env';
import { createHttpApp } from '../../src/core/http/configure-http';
import { createTestDatabase } from './database';
import { becomeCell, CELL_SECRET, SECRETS_KEY } from './other-cell';

// With `CELLS=3`: a process of the third cell, for the whole run. No file has accounts there.
process.on('disconnect', () => process.exit(0));
void (async () => {
  const { url: DATABASE_URL } = await createTestDatabase();
  await becomeCell({ url: DATABASE_URL }, 'third');
  const settings = { DATABASE_URL, SECRETS_KEY, CELL_SECRET, LOG_LEVEL: 'silent', RATE_LIMIT_OPEN: 0 };
  const env = Object.assign(new Env(), settings);
  const app = await createHttpApp(AppModule.register(env), env);
  await app.listen(0, '127.0.0.1');
  process.send!(await app.getUrl());
})();
