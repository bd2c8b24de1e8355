import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../src/core/process/ports';
import { expectClient } from './support/client-cases';
import { ClientPackage, expectGuide } from './support/client-package';
import { ClientRunner } from './support/client-runner';
import { Duka } from './support/duka';

const isThere = spawnSync('bash', ['-c', 'command -v composer && php -r "curl_version();"']).status === 0;

if (isThere) describe('the PHP client', thePhpClient);
else it.skip('the PHP client (needs php with its curl extension, and composer, on PATH)', () => undefined);

function thePhpClient(): void {
  let duka: Duka;
  let installed: ClientPackage;
  let client: ClientRunner;

  beforeAll(async () => {
    installed = await ClientPackage.install({
      language: 'php',
      env: { COMPOSER_HOME: '/nonexistent', COMPOSER_CACHE_DIR: '/dev/null', COMPOSER_ALLOW_SUPERUSER: '1' },
    });
    const runner = join(process.cwd(), 'test/support/client-runner.php');
    client = new ClientRunner('php', [runner], { cwd: installed.folder });
    duka = await Duka.start({ WORKER_IN_API: true, WEBHOOK_ALLOW_PRIVATE_NETWORKS: true });
  }, 120_000);
  afterAll(async () => {
    client?.stop();
    await duka?.stop();
    installed?.remove();
  });

  expectClient(
    () => client,
    () => duka,
  );

  describe('the package', () => {
    let command: (name: string) => [string, ...string[]];

    beforeAll(async () => {
      for (const name of ['buy.php', 'wait.php', 'list.php', 'receive.php']) installed.write(name);
      const port = await freePort();
      // PHP's own server says nothing on its output: when it accepts is said here.
      const receive =
        `(until (exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null; do sleep 0.05; done; echo listening on ${port}) & ` +
        `exec php -S 127.0.0.1:${port} receive.php 2>/dev/null`;
      command = (name) => (name === 'receive' ? ['bash', '-c', receive] : ['php', `${name}.php`]);
    });

    it('needs nothing, and has what it is made of with it', async () => {
      expect(await installed.run('ls', ['vendor', 'vendor/duka'])).toBe(
        'vendor:\nautoload.php\ncomposer\nduka\n\nvendor/duka:\nclient\n',
      );
      expect(await installed.run('ls', ['vendor/duka/client'])).toBe('LICENSE\nREADME.md\ncomposer.json\nsrc\n');
      expect(await installed.run('ls', ['vendor/duka/client/src/Generated'])).toContain('Types.php\n');
    });

    expectGuide(
      () => installed,
      () => duka,
      () => [command],
    );

    it('shows its key to nobody, sends empty objects as such, and no line breaks in headers', async () => {
      const { key, api } = await duka.account();
      writeFileSync(
        join(installed.folder, 'own.php'),
        `<?php
        require __DIR__ . '/vendor/autoload.php';
        $duka = new Duka\\Duka(apiKey: getenv('DUKA_KEY'), baseUrl: getenv('DUKA_URL'));
        var_dump($duka);
        print_r($duka);
        echo json_encode($duka->wallets->create(['currency' => 'NGN', 'metadata' => []])['metadata']), "\\n";
        try {
            $duka->account->get(new Duka\\CallOptions(headers: ['x-one' => "1\\r\\nx-two: 2"]));
        } catch (InvalidArgumentException $error) {
            echo $error;
        }`,
      );
      const told = await installed.run('php', ['own.php'], { DUKA_KEY: key, DUKA_URL: duka.url });
      expect(told).toContain('The header x-one has a control character.');
      expect(told).not.toContain(key);
      expect((await api.get('/v4/wallets')).body.data).toHaveLength(2);
    });

    it('is made from the OpenAPI document as it is', async () => {
      await installed.run(process.execPath, [join(process.cwd(), 'clients/php/generate.mjs'), '--check']);
    });
  });
}
