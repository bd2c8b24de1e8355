import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { runProcess } from '../../src/core/process/lifetime';
import type { Pretended } from './pretended';

// `npm run pretend -- vtpass`: a company on this machine, to walk live mode without a contract. Ends with Ctrl-C.
runProcess(async (lifetime) => {
  lifetime.isService = true;
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string', default: '0' }, 'callback-url': { type: 'string' } },
  });
  const [company = ''] = positionals;
  const file = join(__dirname, company, 'company.ts');
  if (!/^[a-z-]+$/.test(company) || !existsSync(file)) {
    const known = globSync(join(__dirname, '*/company.ts')).map((each) => basename(dirname(each)));
    console.error(
      `npm run pretend -- <company> [--port <port>] [--callback-url <address of Duka>]\n${known.join(' ')}`,
    );
    return lifetime.end(2);
  }
  const { Company } = (await import(file)) as { Company: new () => Pretended };
  const pretended = await lifetime.own(new Company().listen(Number(values.port)), (one) => one.stop());
  pretended.callbackUrl = values['callback-url'] ?? null;
  const lines = Object.entries(pretended.settings).map(([name, value]) => `${name}=${value}`);
  console.log(`${company} is pretended at ${pretended.url}. Set, for Duka:\n\n${lines.join('\n')}\n`);
});
