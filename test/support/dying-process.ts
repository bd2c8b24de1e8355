import { AppModule } from '../../src/app.module';
import { Env } from '../../src/core/config/env';
import { createHttpApp } from '../../src/core/http/configure-http';
import { TEAMS } from '../../src/extensions/extensions.module';
import { LedgerService } from '../../src/modules/ledger/ledger.service';
import { risk } from './guide-limit/team';

// A process of the service that stands still where a purchase is to be written, and says so, until its test kills it.
// Its argument: the settings.
process.on('disconnect', () => process.exit(1));
void (async () => {
  TEAMS.push(risk);
  const env = Object.assign(new Env(), JSON.parse(process.argv[2]!), { WORKER_IN_API: false });
  const app = await createHttpApp(AppModule.register(env), env);
  app.get<LedgerService>(LedgerService, { strict: false }).require = () => {
    process.send!('stands still');
    return new Promise<never>(() => undefined);
  };
  await app.listen(0, '127.0.0.1');
  process.send!(await app.getUrl());
})();
